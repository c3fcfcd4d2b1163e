{{/* API group and label domain. `global` of a parent chart takes precedence, so that one key sets all parts. */}}

{{- define "library.apiGroup" -}}
{{- default .Values.apiGroup (.Values.global).apiGroup -}}
{{- end -}}

{{- define "library.labelDomain" -}}
{{- default .Values.labelDomain (.Values.global).labelDomain -}}
{{- end -}}

{{/* Key of the label that presets select (§2.3). */}}
{{- define "library.toolGroupLabel" -}}
{{- printf "%s/tool-group" (include "library.labelDomain" .) -}}
{{- end -}}
