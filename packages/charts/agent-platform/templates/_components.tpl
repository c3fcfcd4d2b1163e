{{/*
The parts of the platform. A part is a dict `root` (root context) `name` `component` (its entry under `components`).
*/}}

{{/* "true" when the part is enabled. */}}
{{- define "agent-platform.enabled" -}}
{{- if ne .enabled false -}}true{{- end -}}
{{- end -}}

{{- define "agent-platform.releaseName" -}}
{{- default .name .component.releaseName -}}
{{- end -}}

{{- define "agent-platform.releaseNamespace" -}}
{{- default .root.Values.namespace .component.namespace -}}
{{- end -}}

{{- define "agent-platform.labels" -}}
{{ include "library.labels" .root }}
app.kubernetes.io/component: {{ .name | quote }}
{{- end -}}

{{- define "agent-platform.chartUrl" -}}
{{- printf "%s/%s" (default .root.Values.chartRepository .component.repository) .component.chart -}}
{{- end -}}

{{/* Values for every part: `global` with API group and label domain. */}}
{{- define "agent-platform.global" -}}
{{- $names := dict "apiGroup" (include "library.apiGroup" .) "labelDomain" (include "library.labelDomain" .) -}}
{{- mergeOverwrite (dict) (deepCopy (default (dict) .Values.global)) $names | include "library.yaml" -}}
{{- end -}}

{{/* The values of the part's release. The block's own `global` wins. */}}
{{- define "agent-platform.values" -}}
{{- $block := dict -}}
{{- with .component.valuesFrom -}}
{{- $block = deepCopy (default (dict) (index $.root.Values .)) -}}
{{- end -}}
{{- if ne .component.injectGlobal false -}}
{{- $global := dict "global" (include "agent-platform.global" .root | fromYaml) -}}
{{- $block = mergeOverwrite $global $block -}}
{{- end -}}
{{- include "library.yaml" $block -}}
{{- end -}}
