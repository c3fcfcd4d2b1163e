{{/*
The alerts as a YAML list. The Prometheus operator adds the labels `namespace` and `service` to the metrics that the ServiceMonitor scrapes. Every replica
reports every server, so expressions aggregate over pods.
*/}}
{{- define "gateway.alerts" -}}
{{- $own := printf "namespace=%q,service=%q" .Release.Namespace (include "library.fullname" .) -}}
- alert: GatewayDown
  expr: absent(up{ {{- $own -}} } == 1)
  for: 5m
  labels: { severity: critical }
  annotations:
    summary: No pod of the gateway answers.
    description: Prometheus reads no metrics of any pod of the gateway. Agents have no tools.
- alert: GatewayServerNotConnected
  expr: max by (namespace, service, server, state) (gateway_server_state{ {{- $own -}} ,state=~"Failed|Disconnected"}) == 1
  for: 15m
  labels: { severity: warning }
  annotations:
    summary: The server {{ `{{ $labels.server }}` }} is {{ `{{ $labels.state }}` }}.
    description: Its tools are not available. core_service_status and the condition Ready of its MCPServer show the reason.
- alert: GatewayServerUnhealthy
  expr: |-
    max by (namespace, service, server) (gateway_server_health{ {{- $own -}} ,health="unhealthy"})
      unless on (namespace, service, server) gateway_server_state{ {{- $own -}} ,state=~"Failed|Disconnected"}
  for: 15m
  labels: { severity: warning }
  annotations:
    summary: The server {{ `{{ $labels.server }}` }} does not answer health checks.
    description: It is connected and its calls fail or take long. core_service_status shows the reason.
- alert: GatewayServerRestarts
  expr: max by (namespace, service, server) (changes(gateway_server_restarts{ {{- $own -}} }[30m])) > 3
  labels: { severity: warning }
  annotations:
    summary: The server {{ `{{ $labels.server }}` }} restarts again and again.
    description: It had more than 3 automatic restarts in 30 minutes. core_events shows their reasons.
- alert: GatewayServerRequestsFail
  expr: |-
    sum by (namespace, service, server) (rate(gateway_server_requests_total{ {{- $own -}} ,outcome="failed"}[10m]))
      / sum by (namespace, service, server) (rate(gateway_server_requests_total{ {{- $own -}} }[10m])) > 0.2
      and sum by (namespace, service, server) (rate(gateway_server_requests_total{ {{- $own -}} }[10m])) > 0.02
  for: 10m
  labels: { severity: warning }
  annotations:
    summary: More than a fifth of the requests to the server {{ `{{ $labels.server }}` }} fail.
    description: Failed are requests without an answer; results that report an error of a tool are answers.
- alert: GatewayServerQueueFull
  expr: sum by (namespace, service, server) (increase(gateway_server_requests_refused_total{ {{- $own -}} ,reason="busy"}[10m])) > 0
  labels: { severity: warning }
  annotations:
    summary: Requests to the server {{ `{{ $labels.server }}` }} are refused.
    description: Its queue in the gateway was full in the last 10 minutes. The server is too slow for its callers.
- alert: GatewayOverloaded
  expr: sum by (namespace, service, code) (increase(gateway_http_refusals_total{ {{- $own -}} ,code=~"bodies-full|sessions-full|calls-full|answers-full|streams-full"}[10m])) > 0
  for: 5m
  labels: { severity: warning }
  annotations:
    summary: The gateway refuses requests because of a limit ({{ `{{ $labels.code }}` }}).
    description: Add replicas, or raise the limit of muster.http.
- alert: GatewaySlow
  expr: histogram_quantile(0.99, sum by (namespace, service, le) (rate(gateway_meta_tool_duration_seconds_bucket{ {{- $own -}} ,tool!="call_tool"}[10m]))) > 1
  for: 15m
  labels: { severity: warning }
  annotations:
    summary: Answers of the gateway itself take more than a second.
    description: One of 100 calls of a meta-tool other than call_tool takes longer than a second. Compare the CPU of the pods with their requests.
- alert: GatewayEventLoopBlocked
  expr: max by (namespace, service, pod) (nodejs_eventloop_lag_p99_seconds{ {{- $own -}} }) > 0.5
  for: 10m
  labels: { severity: warning }
  annotations:
    summary: The pod {{ `{{ $labels.pod }}` }} answers late.
    description: Its process is blocked for more than half a second at a time. It has too little CPU, or runs close to its memory limit.
- alert: GatewayAuditRecordsLost
  expr: sum by (namespace, service) (increase(gateway_audit_records_lost_total{ {{- $own -}} }[10m])) > 0
  labels: { severity: critical }
  annotations:
    summary: Records of the audit log were not written.
    description: The disk of muster.audit.file is full or too slow. The log of the gateway has the reason.
- alert: GatewayToolsChanged
  expr: max by (namespace, service, server) (gateway_server_tool_changes{ {{- $own -}} }) > 0
  for: 1h
  labels: { severity: info }
  annotations:
    summary: The server {{ `{{ $labels.server }}` }} declares other tools than those that were accepted.
    description: Compare them with core_service_status, and accept them.
{{- end -}}
