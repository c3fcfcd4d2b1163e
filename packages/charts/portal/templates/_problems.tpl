{{/* Returns the first problem of the values, as one sentence. Takes the root context. */}}
{{- define "portal.problem" -}}
{{- $problem := "" -}}
{{- range list "signIn" "replicas" "route" "networkPolicy" -}}
{{- if not $problem -}}
{{- $problem = include (printf "portal.%sProblem" .) $ -}}
{{- end -}}
{{- end -}}
{{- with $problem -}}
{{- printf "%s%s" (include "library.valuesPath" $) . -}}
{{- end -}}
{{- end -}}

{{- define "portal.signInProblem" -}}
{{- $signIn := .Values.signIn -}}
{{- if and $signIn.issuer (not $signIn.clientId) -}}
signIn.issuer is set without the client of the portal there: set signIn.clientId
{{- else if and $signIn.issuer (not .Values.publicUrl) -}}
signIn.issuer is set without the URL to which users return: set publicUrl
{{- else if and $signIn.clientId (not $signIn.issuer) -}}
signIn.clientId is set without the provider: set signIn.issuer
{{- end -}}
{{- end -}}

{{/* Replicas accept the same requests with a key, and the same users with a server. */}}
{{- define "portal.replicasProblem" -}}
{{- $hasSeveral := or .Values.autoscaling.enabled (gt (int .Values.replicas) 1) -}}
{{- $several := ternary "autoscaling is enabled" (printf "replicas is %d" (int .Values.replicas)) .Values.autoscaling.enabled -}}
{{- if and .Values.redis.url (not .Values.sessionKey.existingSecret) -}}
redis.url is set, and sessions are stored encrypted: name the Secret of the key in sessionKey.existingSecret
{{- else if and $hasSeveral (not .Values.sessionKey.existingSecret) -}}
{{- printf "%s, and replicas accept each other's pages only with a shared key: name its Secret in sessionKey.existingSecret" $several -}}
{{- else if and $hasSeveral .Values.signIn.issuer (not .Values.redis.url) -}}
{{- printf "%s, and replicas share sessions in a Redis server: name it in redis.url" $several -}}
{{- end -}}
{{- end -}}

{{- define "portal.routeProblem" -}}
{{- if and (or .Values.ingress.enabled .Values.httpRoute.enabled) (not .Values.publicUrl) -}}
{{- printf "%s.enabled needs publicUrl, which names its host and path" (ternary "ingress" "httpRoute" .Values.ingress.enabled) -}}
{{- else if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
httpRoute.enabled needs httpRoute.parentRefs: name the Gateway that the route belongs to
{{- end -}}
{{- end -}}

{{- define "portal.networkPolicyProblem" -}}
{{- $policy := .Values.networkPolicy -}}
{{- if and $policy.enabled (not $policy.from) -}}
networkPolicy.enabled needs networkPolicy.from: nobody could reach the portal; name its proxy, or [{namespaceSelector: {}}] for every pod of the cluster
{{- else if and $policy.enabled $policy.egress.enabled (not $policy.egress.rules) -}}
networkPolicy.egress.enabled without networkPolicy.egress.rules allows DNS only: add rules for the gateway and for the services that the values name
{{- end -}}
{{- end -}}
