{{/* Why the service would not serve: one sentence, or nothing. Takes the root context. */}}
{{- define "agent-manager.problem" -}}
{{- $path := include "library.valuesPath" . -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.sessionKey.existingSecret) -}}
{{- printf "%sreplicas is %d, and replicas accept each other's sessions only with a key that they share: name its Secret in %ssessionKey.existingSecret" $path (int .Values.replicas) $path -}}
{{- end -}}
{{- end -}}
