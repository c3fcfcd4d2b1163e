{{/* The content of NOTES.txt. */}}

{{- define "agent-manager.notes" -}}
agent-manager {{ .Chart.AppVersion }} manages agents in: {{ include "agent-manager.namespaces" . | fromJsonArray | join ", " }}.

  kubectl --namespace {{ .Release.Namespace }} rollout status deployment/{{ include "library.fullname" . }}
  kubectl --namespace {{ .Release.Namespace }} port-forward service/{{ include "library.fullname" . }} 8080:{{ .Values.service.port }}
  curl http://127.0.0.1:8080/readyz
{{ if .Values.muster.mcpServer.enabled }}
The gateway serves its tools as x_{{ .Values.muster.mcpServer.name }}_<tool>. A gateway without muster.kubernetes.enabled reads files: add the MCPServer {{ .Values.muster.mcpServer.name }} to its values mcpservers there.
{{- else }}
It is not registered with the gateway: set muster.mcpServer.enabled=true where the CRD MCPServer is installed.
{{- end }}
{{- if not .Values.rbac.create }}

rbac.create is false: the account {{ include "library.serviceAccountName" . }} requires permissions in each of these namespaces.
{{- end }}
{{- end -}}
