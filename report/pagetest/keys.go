package pagetest

import (
	"strings"
	"testing"
)

// follow begins to write down what the Tab key reaches: what can be seen of the focus, and how often the first control
// was come to. Of a group of radio buttons one alone is reached.
const follow = `(()=>{
	const w=window.walk={seen:new Set(),first:null,rounds:0,unseen:[]};
	const name=e=>"<"+e.tagName.toLowerCase()+"> "+(e.getAttribute("aria-label")||e.textContent||e.name||"").trim().slice(0,50);
	const shown=e=>{const s=getComputedStyle(e);
		return s.outlineStyle!="none"&&parseFloat(s.outlineWidth)>=1||e.ownerSVGElement&&[...e.querySelectorAll("rect")].some(r=>parseFloat(getComputedStyle(r).strokeWidth)>=3)};
	w.wanted=()=>[...document.querySelectorAll("a[href],button,input,select,textarea,summary,[tabindex]")].filter(e=>e.tabIndex>=0&&!e.disabled&&e.type!="hidden"&&e.checkVisibility({visibilityProperty:true})
		&&!(e.type=="radio"&&!e.checked&&document.querySelector("input[type=radio][name='"+CSS.escape(e.name)+"']:checked")));
	w.missed=()=>w.wanted().filter(e=>!w.seen.has(e)).map(name);
	w.start=()=>w.first&&(w.first.getAttribute("href")||name(w.first));
	document.addEventListener("focusin",ev=>{const e=ev.target;
		if(!w.first) w.first=e; else if(e==w.first) w.rounds++;
		w.seen.add(e);
		if(!shown(e)) w.unseen.push(name(e))});
	document.activeElement.blur();
	return w.wanted().length})()`

// Keys goes through a page that was just loaded by the Tab key alone: the first thing that is reached leads to the content,
// every control is reached and shows that it has the focus, and the way ends where it began.
func (p *Page) Keys(t testing.TB) {
	t.Helper()
	const step = 40
	left := Eval[int](t, p, follow)*3/2 + step // what scrolls can be reached too
	for rounds := 0; rounds == 0 && left > 0; left -= step {
		p.Press(t, strings.Split(strings.Repeat("Tab ", step-1)+"Tab", " ")...)
		rounds = Eval[int](t, p, `walk.rounds`)
	}
	if left <= 0 && Eval[int](t, p, `walk.rounds`) == 0 {
		t.Errorf("%s: the Tab key never comes back to where it began", p.noun)
	}
	if got := Eval[string](t, p, `walk.start()||"nothing"`); got != "#main" {
		t.Errorf("%s: the first that is reached by key is %s", p.noun, got)
	}
	for what, list := range map[string]string{"no key reaches": `walk.missed()`, "nothing shows the focus of": `walk.unseen`} {
		if found := Eval[[]string](t, p, `[...new Set(`+list+`)]`); len(found) > 0 {
			t.Errorf("%s: %s %d: %s", p.noun, what, len(found), strings.Join(found[:min(5, len(found))], ", "))
		}
	}
}
