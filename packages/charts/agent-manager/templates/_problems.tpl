{{/* Returns the first problem of the values, as one sentence. Takes the root context. */}}
{{- define "agent-manager.problem" -}}
{{- $path := include "library.valuesPath" . -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.sessionKey.existingSecret) -}}
{{- printf "%sreplicas is %d, and replicas accept each other's sessions only with a shared key: name its Secret in %ssessionKey.existingSecret" $path (int .Values.replicas) $path -}}
{{- end -}}
{{- end -}}
