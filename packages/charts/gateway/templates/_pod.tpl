{{/* The pod of the gateway. */}}

{{/* One file per resource, from the chart's own ConfigMap and from existing Secrets and ConfigMaps. */}}
{{- define "gateway.projectedFiles" -}}
{{- $folder := .folder -}}
{{- $root := .root -}}
{{- with .resources }}
- configMap:
    name: {{ include "library.fullname" $root }}-{{ $folder }}
    items:
      {{- range $name, $resource := . }}
      - key: {{ printf "%s.yaml" $name | quote }}
        path: {{ printf "%s/%s.yaml" $folder $name | quote }}
      {{- end }}
{{- end }}
{{- range .from }}
- {{ ternary "secret" "configMap" (not (empty .secret)) }}:
    name: {{ default .configMap .secret | quote }}
    items:
      {{- range .names }}
      - key: {{ printf "%s.yaml" . | quote }}
        path: {{ printf "%s/%s.yaml" $folder . | quote }}
      {{- end }}
{{- end }}
{{- end -}}

{{/* The keys of Secrets and ConfigMaps, where the gateway looks for them: `secrets/<secret>/<key>` and `configMaps/<configMap>/<key>`. */}}
{{- define "gateway.valueFiles" -}}
{{- range .Values.secretFiles }}
{{- $secret := .secret }}
- secret:
    name: {{ quote $secret }}
    items:
      {{- range .keys }}
      - key: {{ quote . }}
        path: {{ printf "secrets/%s/%s" $secret . | quote }}
      {{- end }}
{{- end }}
{{- range .Values.configMapFiles }}
{{- $configMap := .configMap }}
- configMap:
    name: {{ quote $configMap }}
    items:
      {{- range .keys }}
      - key: {{ quote . }}
        path: {{ printf "configMaps/%s/%s" $configMap . | quote }}
      {{- end }}
{{- end }}
{{- end -}}

{{- define "gateway.volumes" -}}
- name: config
  projected:
    defaultMode: 0440
    sources:
      - configMap:
          name: {{ include "library.fullname" . }}-config
          items:
            - key: config.yaml
              path: config.yaml
      {{- if not (include "gateway.readsCluster" .) }}
      {{- with include "gateway.projectedFiles" (dict "root" . "folder" "mcpservers" "resources" .Values.mcpservers "from" .Values.mcpserversFrom) | trim }}
      {{- nindent 6 . }}
      {{- end }}
      {{- with include "gateway.projectedFiles" (dict "root" . "folder" "workflows" "resources" .Values.workflows "from" .Values.workflowsFrom) | trim }}
      {{- nindent 6 . }}
      {{- end }}
      {{- end }}
      {{- with include "gateway.valueFiles" . | trim }}
      {{- nindent 6 . }}
      {{- end }}
- name: state
  {{- if .Values.persistence.enabled }}
  persistentVolumeClaim:
    claimName: {{ default (printf "%s-state" (include "library.fullname" .)) .Values.persistence.existingClaim | quote }}
  {{- else }}
  emptyDir:
    sizeLimit: {{ quote .Values.persistence.size }}
  {{- end }}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- with .Values.extraVolumes }}
{{ include "library.yaml" . }}
{{- end }}
{{- end -}}

{{/* The running gateway reads changed presets; other keys of config.yaml take effect at the start. */}}
{{- define "gateway.podAnnotations" -}}
{{- $waiting := omit (include "gateway.config" . | fromYaml) "toolsetPresets" -}}
{{- merge (dict "checksum/config" (toJson $waiting | sha256sum)) .Values.podAnnotations | include "library.yaml" -}}
{{- end -}}

{{- define "gateway.env" -}}
{{- with include "gateway.port" . }}
{{- if ne . (include "gateway.defaultPort" $) }}
# Where the command line looks that runs in the container.
- name: GATEWAY_URL
  value: {{ printf "http://127.0.0.1:%s/mcp" . | quote }}
{{- end }}
{{- end }}
{{- with .Values.sessionKey.existingSecret }}
- name: GATEWAY_SESSION_KEY
  valueFrom:
    secretKeyRef:
      name: {{ quote . }}
      key: {{ quote $.Values.sessionKey.key }}
{{- end }}
{{- include "gateway.stateEnv" . }}
{{- with .Values.extraEnv }}
{{ include "library.yaml" . }}
{{- end }}
{{- end -}}

{{/* The Secret may contain the state key alone: other references are optional. */}}
{{- define "gateway.stateEnv" -}}
{{- with .Values.stateSecret }}
{{- if .existingSecret }}
- name: GATEWAY_STATE_KEY
  valueFrom:
    secretKeyRef:
      name: {{ quote .existingSecret }}
      key: {{ quote .key }}
- name: GATEWAY_STATE_KEY_PREVIOUS
  valueFrom:
    secretKeyRef:
      name: {{ quote .existingSecret }}
      key: {{ quote .previousKey }}
      optional: true
- name: GATEWAY_STATE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ quote .existingSecret }}
      key: {{ quote .passwordKey }}
      optional: true
{{- end }}
{{- end }}
{{- end -}}

{{- define "gateway.container" -}}
name: gateway
{{ include "library.containerImage" . }}
args:
  - serve
  - --config-dir
  - {{ include "gateway.configDirectory" . }}
  - --host
  - {{ (.Values.muster.http).host | default "0.0.0.0" | quote }}
  - --port
  - {{ include "gateway.port" . | quote }}
{{- /* Explicit, because a gateway whose default port is in use starts without it, and its probes fail. */}}
{{- with include "gateway.healthPort" . }}
  - --health-port
  - {{ quote . }}
{{- end }}
  - --expose
  - {{ .Values.expose }}
  - --log-format
  - {{ .Values.logFormat }}
  - --log-level
  - {{ .Values.logLevel }}
{{- with include "gateway.env" . | trim }}
env:
  {{- nindent 2 . }}
{{- end }}
{{- with .Values.envFrom }}
envFrom:
  {{- include "library.yaml" . | nindent 2 }}
{{- end }}
ports:
  - name: http
    containerPort: {{ include "gateway.port" . }}
    protocol: TCP
{{- with include "gateway.healthPort" . }}
  - name: health
    containerPort: {{ . }}
    protocol: TCP
{{- end }}
{{- $health := include "gateway.healthPortName" . }}
startupProbe:
  {{- include "library.httpProbe" (dict "path" "/healthz" "port" $health "probe" .Values.probes.startup) | nindent 2 }}
readinessProbe:
  {{- include "library.httpProbe" (dict "path" "/readyz" "port" $health "probe" .Values.probes.readiness) | nindent 2 }}
livenessProbe:
  {{- include "library.httpProbe" (dict "path" "/healthz" "port" $health "probe" .Values.probes.liveness) | nindent 2 }}
{{- if .Values.preStopSeconds }}
lifecycle:
  preStop:
    exec:
      command: [node, -e, {{ printf "setTimeout(() => {}, %d)" (mul 1000 .Values.preStopSeconds) | quote }}]
{{- end }}
resources:
  {{- include "library.yaml" .Values.resources | nindent 2 }}
securityContext:
  {{- include "library.yaml" .Values.securityContext | nindent 2 }}
volumeMounts:
  - name: config
    mountPath: {{ include "gateway.configDirectory" . }}
    readOnly: true
  - name: state
    mountPath: {{ include "gateway.stateMount" . }}
  - name: tmp
    mountPath: /tmp
  {{- with .Values.extraVolumeMounts }}
  {{- include "library.yaml" . | nindent 2 }}
  {{- end }}
{{- end -}}
