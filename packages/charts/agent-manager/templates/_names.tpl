{{/* The namespaces in which agents are managed, each once, as a JSON list. */}}
{{- define "agent-manager.namespaces" -}}
{{- concat (list .Values.kagent.namespace) .Values.additionalNamespaces | uniq | toJson -}}
{{- end -}}
