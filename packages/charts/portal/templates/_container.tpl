{{/* Parts of the container. Each takes the root context. */}}

{{- define "portal.args" -}}
- serve
- --host
- 0.0.0.0
- --port
- '8070'
{{- with .Values.publicUrl }}
- --public-url
- {{ quote . }}
{{- end }}
{{- with .Values.allowedHosts }}
- --allowed-hosts
- {{ join "," . | quote }}
{{- end }}
- --gateway
- {{ include "portal.gatewayUrl" . | quote }}
{{- with .Values.agentManager.url }}
- --agent-manager
- {{ quote . }}
{{- end }}
{{- with .Values.muster.metricsUrl }}
- --metrics
- {{ quote . }}
{{- end }}
- --label-domain
- {{ include "library.labelDomain" . | quote }}
{{- with .Values.redis.url }}
- --redis
- {{ quote . }}
{{- end }}
{{- include "portal.signInArgs" . }}
- --log-format
- {{ quote .Values.logging.format }}
- --log-level
- {{ quote .Values.logging.level }}
{{- end -}}

{{- define "portal.signInArgs" -}}
{{- $signIn := .Values.signIn -}}
{{- if $signIn.issuer }}
- --issuer
- {{ quote $signIn.issuer }}
- --client-id
- {{ quote $signIn.clientId }}
{{- if $signIn.clientSecret.existingSecret }}
- --client-secret-file
- /etc/portal/client-secret
{{- end }}
- --scopes
- {{ join " " $signIn.scopes | quote }}
{{- with $signIn.resource }}
- --resource
- {{ quote . }}
{{- end }}
- --token
- {{ quote $signIn.token }}
{{- end }}
{{- end -}}

{{/* Environment variables from Secrets and of the values, as a list. */}}
{{- define "portal.env" -}}
{{- $secrets := dict "PORTAL_SESSION_KEY" .Values.sessionKey "PORTAL_REDIS_PASSWORD" .Values.redis.password -}}
{{- range $name, $secret := $secrets -}}
{{- with $secret.existingSecret }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ quote . }}
      key: {{ quote $secret.key }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ include "library.yaml" . }}
{{- end }}
{{- end -}}

{{- define "portal.volumeMounts" -}}
{{- if .Values.signIn.clientSecret.existingSecret }}
- name: client
  mountPath: /etc/portal
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ include "library.yaml" . }}
{{- end }}
{{- end -}}

{{- define "portal.volumes" -}}
{{- with .Values.signIn.clientSecret }}
{{- if .existingSecret }}
- name: client
  secret:
    secretName: {{ quote .existingSecret }}
    items:
      - key: {{ quote .key }}
        path: client-secret
{{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ include "library.yaml" . }}
{{- end }}
{{- end -}}
