{{/*
YAML of any value from outside, to stand wherever `toYaml` may. That alone does not give every text back: a line separator breaks
lines for some readers and not for others, a control character turns the whole value into nothing, and of several line
breaks at the very end one is lost. With such a text inside, each entry of the value stands on a line of its own, with escapes.
*/}}
{{- define "library.yaml" -}}
{{- $value := . -}}
{{- $yaml := toYaml . -}}
{{- $isHidden := regexMatch "[\\x{7f}-\\x{9f}\\x{feff}\\x{fffe}\\x{ffff}]|\\\\u202[89]" (toJson .) -}}
{{- if not (or $isHidden (regexMatch "[|][0-9]?[+]\n" $yaml)) -}}
{{- $yaml -}}
{{- else if kindIs "map" . -}}
{{- $lines := list -}}
{{- range keys . | sortAlpha -}}{{- $lines = append $lines (printf "%q: %s" . (include "library.yaml.flow" (get $value .))) -}}{{- end -}}
{{- join "\n" $lines -}}
{{- else if kindIs "slice" . -}}
{{- $lines := list -}}
{{- range . -}}{{- $lines = append $lines (printf "- %s" (include "library.yaml.flow" .)) -}}{{- end -}}
{{- join "\n" $lines -}}
{{- else -}}
{{- include "library.yaml.flow" . -}}
{{- end -}}
{{- end -}}

{{/* A value in one line. */}}
{{- define "library.yaml.flow" -}}
{{- $value := . -}}
{{- $parts := list -}}
{{- if kindIs "map" . -}}
{{- range keys . | sortAlpha -}}{{- $parts = append $parts (printf "%q: %s" . (include "library.yaml.flow" (get $value .))) -}}{{- end -}}
{{- printf "{%s}" (join ", " $parts) -}}
{{- else if kindIs "slice" . -}}
{{- range . -}}{{- $parts = append $parts (include "library.yaml.flow" .) -}}{{- end -}}
{{- printf "[%s]" (join ", " $parts) -}}
{{- else if typeIs "string" . -}}
{{- printf "%q" . -}}
{{- else -}}
{{- toJson . -}}
{{- end -}}
{{- end -}}
