{{/*
Returns the first problem of a toolset, as one sentence; empty without problems. Takes the value of any type. Order: not a list, no items, too many items, first malformed selector.
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
Returns the problem of one selector. Nothing is trimmed, because the gateway gets the value unchanged.
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

{{/* Returns the problem of an extraAgentSpec that would replace the whole agent. */}}
{{- define "agent.extraSpec.problem" -}}
{{- $declarative := (.Values.extraAgentSpec).declarative -}}
{{- if not (or (kindIs "invalid" $declarative) (kindIs "map" $declarative)) -}}
extraAgentSpec.declarative must be a map, got {{ kindOf $declarative }}
{{- end -}}
{{- end -}}

{{/* Fails for an invalid toolset, also for an agent without the gateway. */}}
{{- define "agent.validate" -}}
{{- with default (include "agent.extraSpec.problem" .) (include "agent.toolset.problem" .Values.toolset) -}}
{{- fail . -}}
{{- end -}}
{{- end -}}
