{{/* The content of NOTES.txt. */}}

{{- define "agent-platform.notes" -}}
Flux installs the parts of the platform into the namespace {{ .Values.namespace }}:
{{- range $name, $component := .Values.components }}
{{- if include "agent-platform.enabled" $component }}
  {{ $name }}: chart {{ $component.chart }} {{ $component.versionRange }}
{{- end }}
{{- end }}

  kubectl get helmreleases.helm.toolkit.fluxcd.io --namespace {{ .Release.Namespace }}
{{- with ((.Values.muster).muster).toolsetPresets }}

Toolset presets: {{ keys . | sortAlpha | join ", " }}.
{{- end }}
{{- end -}}
