// Renders templates with Go's text/template and Sprig. It reads one JSON text per line and prints one answer per line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

type answer struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

func render(text string) (out answer) {
	defer func() {
		if problem := recover(); problem != nil {
			out = answer{Error: fmt.Sprint("panic: ", problem)}
		}
	}()
	parsed, err := template.New("main").Funcs(sprig.TxtFuncMap()).Option("missingkey=error").Parse(text)
	if err != nil {
		return answer{Error: err.Error()}
	}
	var printed strings.Builder
	if err := parsed.Execute(&printed, map[string]any{}); err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Text: printed.String()}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			panic(err)
		}
		if err := answers.Encode(render(text)); err != nil {
			panic(err)
		}
	}
}
