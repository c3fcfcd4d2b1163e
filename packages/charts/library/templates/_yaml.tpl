{{/*
Returns YAML of any value in place of `toYaml`, which does not preserve every text: readers disagree about line separators, a control character removes the whole value, and trailing line breaks are lost. A value with such a text is written with one entry per line and escapes.
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
