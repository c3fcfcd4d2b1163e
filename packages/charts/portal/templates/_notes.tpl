{{/* The content of NOTES.txt. */}}

{{- define "portal.notes" -}}
The portal {{ .Chart.AppVersion }} shows the gateway at {{ include "portal.gatewayUrl" . }}.

  kubectl --namespace {{ .Release.Namespace }} rollout status deployment/{{ include "library.fullname" . }}
{{ if .Values.publicUrl }}
Browsers reach it at {{ .Values.publicUrl }}{{ if not (or .Values.ingress.enabled .Values.httpRoute.enabled) }}, through a proxy of yours to the Service {{ include "library.fullname" . }}{{ end }}.
{{- else }}
  kubectl --namespace {{ .Release.Namespace }} port-forward service/{{ include "library.fullname" . }} 8070:{{ .Values.service.port }}

Then open http://127.0.0.1:8070/.
{{- end }}
{{- with include "portal.warnings" . | trim }}

{{ . }}
{{- end }}
{{- end -}}

{{/* Warnings, one line each. */}}
{{- define "portal.warnings" -}}
{{- if eq (default .Values.image.registry (.Values.global).imageRegistry) "registry.gateway.internal" }}
- The image comes from the placeholder registry.gateway.internal: set image.registry.
{{- end }}
{{- if not .Values.signIn.issuer }}
- Users do not sign in: everyone who reaches the portal uses it. Set signIn.issuer.
{{- else if not .Values.redis.url }}
- Sessions are in the memory of the pod, and a new pod signs everybody out: set redis.url.
{{- end }}
{{- if not .Values.agentManager.url }}
- The portal has no pages of agents: set agentManager.url.
{{- end }}
{{- end -}}
