package pagetest

import (
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// Apart is the same Chromium as another device has it: pages in it share no cookie and nothing that is kept with those of
// others, and files that they save come into the folder. end closes its pages at once, as when the device is lost; what it
// kept is gone. At the end of the test it is closed anyway.
func (b *Browser) Apart(t testing.TB, folder string) (device *Browser, end func()) {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("another device: %v", err)
	}
	if _, err := chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID, DownloadPath: folder,
	}); err != nil {
		t.Fatalf("where files are saved: %v", err)
	}
	return &Browser{ctx}, cancel
}
