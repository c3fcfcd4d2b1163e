{{/* Parts of hardened workloads. Each takes the root context and reads the values of the fragment `workload`. */}}

{{- define "library.image" -}}
{{- $registry := default .Values.image.registry (.Values.global).imageRegistry -}}
{{- $name := .Values.image.repository -}}
{{- if $registry -}}{{- $name = printf "%s/%s" $registry $name -}}{{- end -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $name .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name (default (replace "+" "_" .Chart.AppVersion) .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Lines `image` and `imagePullPolicy` of a container. */}}
{{- define "library.containerImage" -}}
image: {{ include "library.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{- define "library.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "library.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The ServiceAccount; nothing when it is not created. */}}
{{- define "library.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "library.serviceAccountName" . | quote }}
  namespace: {{ quote .Release.Namespace }}
  labels:
    {{- include "library.labels" . | nindent 4 }}
  {{- with .Values.serviceAccount.annotations }}
  annotations:
    {{- include "library.yaml" . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}
{{- end -}}

{{/* Labels of the pods. podLabels cannot replace selector labels. The chart version is omitted, because its change must not replace pods. */}}
{{- define "library.podLabels" -}}
{{- $own := include "library.selectorLabels" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" (include "library.labelValue" .Chart.AppVersion) -}}
{{- merge (dict) $own .Values.podLabels | include "library.yaml" -}}
{{- end -}}

{{/* Constraints without a labelSelector apply to the pods of this release. */}}
{{- define "library.topologySpreadConstraints" -}}
{{- $selector := dict "matchLabels" (include "library.selectorLabels" . | fromYaml) -}}
{{- $constraints := list -}}
{{- range .Values.topologySpreadConstraints -}}
{{- $constraints = append $constraints (merge (dict) . (dict "labelSelector" $selector)) -}}
{{- end -}}
{{- include "library.yaml" $constraints -}}
{{- end -}}

{{/*
Common lines of a pod spec: account, pull secrets, security context, placement.
The token of the account is mounted only on request (`dict "root" $ "token" true`).
*/}}
{{- define "library.podSpec" -}}
{{- $root := .root -}}
serviceAccountName: {{ include "library.serviceAccountName" $root | quote }}
automountServiceAccountToken: {{ default false .token }}
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- include "library.yaml" . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "library.yaml" $root.Values.podSecurityContext | nindent 2 }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ quote . }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector:
  {{- include "library.yaml" . | nindent 2 }}
{{- end }}
{{- with $root.Values.affinity }}
affinity:
  {{- include "library.yaml" . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations:
  {{- include "library.yaml" . | nindent 2 }}
{{- end }}
{{- if $root.Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- include "library.topologySpreadConstraints" $root | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A probe over HTTP: `dict "path" "/healthz" "port" "http" "probe" .Values.probes.liveness`. */}}
{{- define "library.httpProbe" -}}
httpGet:
  path: {{ .path }}
  port: {{ .port }}
{{ include "library.yaml" .probe }}
{{- end -}}

{{/* The rule of a NetworkPolicy that permits DNS, to `networkPolicy.egress.dns`, otherwise to the DNS pods of the cluster. */}}
{{- define "library.dnsEgress" -}}
- to:
    {{- with .Values.networkPolicy.egress.dns }}
    {{- include "library.yaml" . | nindent 4 }}
    {{- else }}
    - namespaceSelector: {}
      podSelector:
        matchLabels:
          k8s-app: kube-dns
    {{- end }}
  ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
{{- end -}}
