{{/* Order of the keys of an Agent. Other keys follow by name. */}}
{{- define "agent.keyOrder" -}}
type headersFrom mcpServer kind apiGroup name namespace allowedHeaders toolNames
description iconUrl skills refs gitRefs gitAuthSecretRef
declarative runtime modelConfig systemMessage tools deployment replicas env resources requests limits
{{- end -}}

{{/* YAML of any value, with the keys of its maps in that order. */}}
{{- define "agent.yaml" -}}
{{- $value := . -}}
{{- if and (kindIs "map" .) . -}}
{{- $order := regexSplit "\\s+" (include "agent.keyOrder" .) -1 -}}
{{- $lines := list -}}
{{- range $key := concat $order (keys . | sortAlpha) | uniq -}}
{{- if hasKey $value $key -}}
{{- $lines = append $lines (include "agent.yamlEntry" (dict "key" $key "value" (get $value $key))) -}}
{{- end -}}
{{- end -}}
{{- join "\n" $lines -}}
{{- else if and (kindIs "slice" .) . -}}
{{- $lines := list -}}
{{- range . -}}
{{- $item := include "agent.yaml" . | indent 2 | trimPrefix "  " | printf "- %s" -}}
{{- if and (kindIs "string" .) (not (include "agent.isEscaped" .)) -}}
{{- $item = toYaml (list .) -}}
{{- end -}}
{{- $lines = append $lines $item -}}
{{- end -}}
{{- join "\n" $lines -}}
{{- else if include "agent.isEscaped" . -}}
{{- printf "%q" . -}}
{{- else -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "agent.yamlEntry" -}}
{{- if include "agent.isEscaped" .key -}}
{{- printf "%q:" .key -}}
{{- else -}}
{{- toYaml (dict .key "") | trimSuffix " \"\"" -}}
{{- end -}}
{{- if and .value (or (kindIs "map" .value) (kindIs "slice" .value)) -}}
{{- include "agent.yaml" .value | nindent 2 -}}
{{- else }} {{ include "agent.yaml" .value -}}
{{- end -}}
{{- end -}}

{{/*
Returns `true` for a text with invisible characters, such as a line separator, about which YAML readers disagree. Such a text is quoted with escapes.
*/}}
{{- define "agent.isEscaped" -}}
{{- if kindIs "string" . -}}
{{- if regexMatch "[\\p{C}\\p{Zl}\\p{Zp}]" (replace "\n" "" .) -}}
true
{{- end -}}
{{- end -}}
{{- end -}}
