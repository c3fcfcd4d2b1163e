{{/* Returns the first problem of the values, as one sentence. Takes the root context. */}}
{{- define "agent-manager.problem" -}}
{{- $path := include "library.valuesPath" . -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.sessionKey.existingSecret) -}}
{{- printf "%sreplicas is %d, and replicas accept each other's sessions only with a shared key: name its Secret in %ssessionKey.existingSecret" $path (int .Values.replicas) $path -}}
{{- else if and .Values.oauth.issuer (not .Values.oauth.enabled) -}}
{{- printf "%soauth.issuer is set, and tokens are not required: set %soauth.enabled" $path $path -}}
{{- else if and .Values.oauth.issuer (not .Values.oauth.publicUrl) -}}
{{- printf "%soauth.issuer is set without the URL of clients: set %soauth.publicUrl" $path $path -}}
{{- else if and .Values.oauth.downstream (not .Values.oauth.issuer) -}}
{{- printf "%soauth.downstream is set, and the service does not verify the tokens that it sends to the cluster: set %soauth.issuer" $path $path -}}
{{- end -}}
{{- end -}}
