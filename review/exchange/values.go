package exchange

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// truth reads yes or no; unsaid is what an empty text means.
func truth(text string, unsaid bool) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "":
		return unsaid, nil
	case "yes", "true", "x", "1":
		return true, nil
	case "no", "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("%.80q: write yes or no", text)
}

// seconds reads a length of time; an empty text is 0.
func seconds(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(v >= 0 && v < 1e9) {
		return 0, fmt.Errorf("%.80q: write a number from 0, or nothing", text)
	}
	return v, nil
}

// when reads a time; an empty text is the zero time. A time without a zone is UTC, thirteen digits are milliseconds since 1970.
func when(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) == 13 && ms > 0 {
		return time.UnixMilli(ms).UTC(), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 && t.Year() < 10000 {
			return t.UTC().Truncate(time.Millisecond), nil
		}
	}
	return time.Time{}, fmt.Errorf("%.80q: write it as 2026-03-01T14:30:00Z, or nothing", text)
}
