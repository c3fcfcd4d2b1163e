{{/* The content of NOTES.txt. */}}

{{/* Names of registered servers that the gateway's values do not have, as a JSON list. */}}
{{- define "standalone.unread" -}}
{{- $kubernetes := ((.Values.muster).muster).kubernetes | default dict -}}
{{- $read := keys ((.Values.muster).mcpservers | default dict) -}}
{{- range (.Values.muster).mcpserversFrom -}}{{- $read = concat $read .names -}}{{- end -}}
{{- $unread := list -}}
{{- range include "standalone.servers" . | fromJsonArray -}}
{{- if not (or $kubernetes.enabled (has .name $read)) -}}{{- $unread = append $unread .name -}}{{- end -}}
{{- end -}}
{{- toJson $unread -}}
{{- end -}}

{{- define "standalone.notes" -}}
The platform is installed as the release {{ .Release.Name }} in the namespace {{ .Release.Namespace }}.
{{- with .Subcharts.muster }}

The gateway serves MCP at http://{{ include "library.fullname" . }}.{{ .Release.Namespace }}.svc:{{ .Values.service.port }}/mcp.
{{- with (.Values.muster).toolsetPresets }}
Toolset presets: {{ keys . | sortAlpha | join ", " }}.
{{- end }}
{{- end }}
{{- with include "standalone.servers" . | fromJsonArray }}

Registered as MCPServer:
{{- range . }}
  {{ .name }} ({{ .part }})
{{- end }}
{{- end }}
{{- if .Subcharts.muster }}
{{- with include "standalone.unread" . | fromJsonArray }}

This gateway reads files and no objects of the cluster. To serve them, set muster.muster.kubernetes.enabled, or add these servers to muster.mcpservers too: {{ join ", " . }}.
See docs/charts/standalone.md, "Servers of the gateway".
{{- end }}
{{- end }}
{{- end -}}
