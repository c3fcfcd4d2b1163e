{{/* Environment variables from Secrets, as a list. */}}
{{- define "agent-manager.env" -}}
{{- $secrets := dict "AGENT_MANAGER_SESSION_KEY" .Values.sessionKey "AGENT_MANAGER_SKILLS_TOKEN" .Values.skillsToken -}}
{{- range $name, $secret := $secrets -}}
{{- with $secret.existingSecret }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ quote . }}
      key: {{ quote $secret.key }}
{{- end }}
{{- end }}
{{- end -}}
