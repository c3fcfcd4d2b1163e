{{/* The namespaces in which agents are managed, each once, as a JSON list. */}}
{{- define "agent-manager.namespaces" -}}
{{- concat (list .Values.kagent.namespace) .Values.additionalNamespaces | uniq | toJson -}}
{{- end -}}

{{/* The fields of an object's metadata that all objects of the release share. */}}
{{- define "agent-manager.metadata" -}}
name: {{ include "library.fullname" . | quote }}
namespace: {{ .Release.Namespace | quote }}
labels:
  {{- include "library.labels" . | nindent 2 }}
{{- end -}}
