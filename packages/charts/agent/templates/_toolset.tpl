{{/*
What is wrong with a toolset, as one sentence; empty when nothing is. Takes the value itself, unset or of any
kind. The first of these decides: no list, no items, too many items, the first item that is no selector.
*/}}
{{- define "agent.toolset.problem" -}}
{{- $cap := include "agent.maxInlineSelectors" . | int -}}
{{- if kindIs "invalid" . -}}
{{- else if not (kindIs "slice" .) -}}
toolset must be a list of selector strings, got {{ kindOf . }}
{{- else if empty . -}}
toolset is empty: an agent without tools declares toolset: ["preset:none"]; leave toolset unset for implicit full access to everything the gateway exposes
{{- else if gt (len .) $cap -}}
toolset has {{ len . }} selectors, above the inline cap of {{ $cap }}: define a preset (gateway toolsetPresets) and select it with preset:<name>
{{- else -}}
{{- $problem := "" -}}
{{- range . -}}
{{- if not $problem -}}
{{- $problem = include "agent.selector.problem" . -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
{{- end -}}

{{/*
What is wrong with one selector. Nothing is trimmed: what stands in the value is what the gateway gets.
`\s` is ASCII whitespace in Go, as it is in the gateway.
*/}}
{{- define "agent.selector.problem" -}}
{{- if not (kindIs "string" .) -}}
toolset selector {{ printf "%v" . }} must be a string
{{- else if hasPrefix "toolset:" . -}}
toolset selector {{ printf "%q" . }}: toolset:<name> is reserved for shared toolsets
{{- else if hasPrefix "label:" . -}}
toolset selector {{ printf "%q" . }}: label: selectors are allowed inside presets only
{{- else if not (mustRegexMatch "^(preset|server|workflow|tool):[^\\s,]+$" .) -}}
toolset selector {{ printf "%q" . }} is invalid: expected preset:<name>, server:<name>, workflow:<name> or tool:<name> (exact name, no whitespace or commas)
{{- end -}}
{{- end -}}

{{/* What of extraAgentSpec would take the place of the whole agent. */}}
{{- define "agent.extraSpec.problem" -}}
{{- $declarative := (.Values.extraAgentSpec).declarative -}}
{{- if not (or (kindIs "invalid" $declarative) (kindIs "map" $declarative)) -}}
extraAgentSpec.declarative must be a map, got {{ kindOf $declarative }}
{{- end -}}
{{- end -}}

{{/* Refuses to render while the toolset is wrong, also for an agent without the gateway. */}}
{{- define "agent.validate" -}}
{{- with default (include "agent.extraSpec.problem" .) (include "agent.toolset.problem" .Values.toolset) -}}
{{- fail . -}}
{{- end -}}
{{- end -}}
