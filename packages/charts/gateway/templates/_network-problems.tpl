{{/* Returns the first problem of the values for additional objects, as one sentence; empty without problems. Each takes the root context. */}}

{{- define "gateway.networkProblem" -}}
{{- $problem := "" -}}
{{- range list "service" "autoscaling" "disruption" "networkPolicy" "scrape" "alerts" "ingress" "ingressTls" "route" "routeTimeouts" "remote" -}}
{{- if not $problem -}}
{{- $problem = include (printf "gateway.%sProblem" .) $ -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "gateway.serviceProblem" -}}
{{- if and .Values.service.nodePort (eq .Values.service.type "ClusterIP") -}}
{{- printf "service.nodePort is %d, and a Service of type ClusterIP has none: set service.type, or omit it" (int .Values.service.nodePort) -}}
{{- end -}}
{{- end -}}

{{- define "gateway.autoscalingProblem" -}}
{{- $scaling := .Values.autoscaling -}}
{{- if $scaling.enabled -}}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- printf "autoscaling.minReplicas %d is above autoscaling.maxReplicas %d" (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- else if not (or (int $scaling.targetCPUUtilizationPercentage) (int $scaling.targetMemoryUtilizationPercentage) $scaling.metrics) -}}
autoscaling.enabled needs something to follow: set autoscaling.targetCPUUtilizationPercentage, autoscaling.targetMemoryUtilizationPercentage or autoscaling.metrics
{{- else -}}
{{- include "gateway.utilizationProblem" (dict "root" . "resource" "cpu" "key" "targetCPUUtilizationPercentage") | default (include "gateway.utilizationProblem" (dict "root" . "resource" "memory" "key" "targetMemoryUtilizationPercentage")) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Utilization is a percentage of the request; without a request the limit is used. */}}
{{- define "gateway.utilizationProblem" -}}
{{- $resources := .root.Values.resources -}}
{{- if int (index .root.Values.autoscaling .key) -}}
{{- if not (or (hasKey (default dict $resources.requests) .resource) (hasKey (default dict $resources.limits) .resource)) -}}
{{- printf "autoscaling.%s is a share of resources.requests.%s, which is not set" .key .resource -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.fewestPods" -}}
{{- ternary .Values.autoscaling.minReplicas .Values.replicas .Values.autoscaling.enabled | int -}}
{{- end -}}

{{- define "gateway.disruptionProblem" -}}
{{- $budget := .Values.podDisruptionBudget -}}
{{- $pods := include "gateway.fewestPods" . | int -}}
{{- if $budget.enabled -}}
{{- $hasLeast := not (kindIs "invalid" $budget.minAvailable) -}}
{{- if and $hasLeast (not (kindIs "invalid" $budget.maxUnavailable)) -}}
podDisruptionBudget.minAvailable and podDisruptionBudget.maxUnavailable exclude each other: set one of them
{{- else if has (toString $budget.maxUnavailable) (list "0" "0%") -}}
{{- printf "podDisruptionBudget.maxUnavailable %v evicts no pod, so no node can be drained" $budget.maxUnavailable -}}
{{- else if and $hasLeast $pods -}}
{{- $needed := include "gateway.neededPods" (dict "pods" $pods "value" $budget.minAvailable) | int -}}
{{- if ge $needed $pods -}}
{{- printf "podDisruptionBudget.minAvailable %v keeps %d of %d pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods" $budget.minAvailable $needed $pods -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Kubernetes rounds percentages up. */}}
{{- define "gateway.neededPods" -}}
{{- if hasSuffix "%" (toString .value) -}}
{{- div (add (mul (trimSuffix "%" .value | int) .pods) 99) 100 -}}
{{- else -}}
{{- int .value -}}
{{- end -}}
{{- end -}}

{{/* What the gateway must reach besides servers, as a value; empty when that is nothing. */}}
{{- define "gateway.needed" -}}
{{- if include "gateway.readsCluster" . -}}the API server of muster.kubernetes
{{- else if ne (default "none" (.Values.muster.auth).mode) "none" -}}the issuers of muster.auth
{{- else if (.Values.muster.state).url -}}the server of muster.state
{{- end -}}
{{- end -}}

{{- define "gateway.networkPolicyProblem" -}}
{{- $policy := .Values.networkPolicy -}}
{{- if $policy.enabled -}}
{{- $remote := list -}}
{{- range $name, $server := .Values.mcpservers -}}
{{- if $server.spec.url -}}{{- $remote = append $remote $name -}}{{- end -}}
{{- end -}}
{{- if not $policy.from -}}
networkPolicy.enabled needs networkPolicy.from: nobody could reach the gateway; name its callers, or [{namespaceSelector: {}}] for every pod of the cluster
{{- else if and $policy.egress.enabled (not $policy.egress.rules) $remote -}}
{{- printf "networkPolicy.egress.enabled without networkPolicy.egress.rules allows DNS only, so the gateway could not reach the servers %s: add rules for them" (join ", " $remote) -}}
{{- else if and $policy.egress.enabled (not $policy.egress.rules) (include "gateway.needed" .) -}}
{{- printf "networkPolicy.egress.enabled without networkPolicy.egress.rules does not allow %s: add rules for it" (include "gateway.needed" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A duration of Prometheus or of the Gateway API in milliseconds. */}}
{{- define "gateway.milliseconds" -}}
{{- $units := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000 "w" 604800000 "y" 31536000000 -}}
{{- $sum := 0 -}}
{{- range regexFindAll "[0-9]+[a-z]+" . -1 -}}
{{- $unit := regexFind "[a-z]+" . -}}
{{- $sum = add $sum (mul (trimSuffix $unit . | int64) (get $units $unit | int64)) -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{- define "gateway.scrapeProblem" -}}
{{- $monitor := .Values.serviceMonitor -}}
{{- if and $monitor.enabled $monitor.interval $monitor.scrapeTimeout -}}
{{- if gt (include "gateway.milliseconds" $monitor.scrapeTimeout | int64) (include "gateway.milliseconds" $monitor.interval | int64) -}}
{{- printf "serviceMonitor.scrapeTimeout %s is longer than serviceMonitor.interval %s" $monitor.scrapeTimeout $monitor.interval -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.alertsProblem" -}}
{{- $rule := .Values.prometheusRule -}}
{{- if $rule.enabled -}}
{{- $names := list -}}
{{- range include "gateway.alerts" . | fromYamlArray -}}{{- $names = append $names .alert -}}{{- end -}}
{{- $unknown := without $rule.disabled "" -}}
{{- range $names -}}{{- $unknown = without $unknown . -}}{{- end -}}
{{- if not .Values.serviceMonitor.enabled -}}
prometheusRule.enabled needs serviceMonitor.enabled, whose labels its alerts select
{{- else if $unknown -}}
{{- printf "prometheusRule.disabled has %s, and the alerts of the chart are %s" (join ", " $unknown) (join ", " $names) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
The gateway accepts known host names only, to prevent DNS rebinding; a wildcard is not a name.
Takes `dict "root" $ "key" "ingress.hosts" "hosts" $hosts`.
*/}}
{{- define "gateway.wildcardProblem" -}}
{{- if not (.root.Values.muster.http).allowedHosts -}}
{{- range .hosts -}}
{{- if hasPrefix "*." . -}}
{{- printf "%s has %s, but the gateway accepts known host names only: add them to muster.http.allowedHosts (\"*\" allows every host)\n" $.key . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.ingressHosts" -}}
{{- $hosts := list -}}
{{- range .Values.ingress.hosts -}}{{- $hosts = append $hosts .host -}}{{- end -}}
{{- toJson $hosts -}}
{{- end -}}

{{- define "gateway.ingressProblem" -}}
{{- if .Values.ingress.enabled -}}
{{- $hosts := include "gateway.ingressHosts" . | fromJsonArray -}}
{{- if not $hosts -}}
ingress.enabled needs ingress.hosts: name the hosts that the gateway is served at
{{- else if ne (len $hosts) (len (uniq $hosts)) -}}
ingress.hosts names a host twice
{{- else -}}
{{- include "gateway.wildcardProblem" (dict "root" . "key" "ingress.hosts" "hosts" $hosts) | splitList "\n" | first -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.ingressTlsProblem" -}}
{{- if .Values.ingress.enabled -}}
{{- $hosts := include "gateway.ingressHosts" . | fromJsonArray -}}
{{- $unserved := list -}}
{{- range .Values.ingress.tls -}}
{{- range .hosts -}}
{{- if not (or (has . $hosts) (hasPrefix "*." .)) -}}{{- $unserved = append $unserved . -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- with $unserved -}}
{{- printf "ingress.tls names %s, which is not in ingress.hosts" (join ", " .) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.routeProblem" -}}
{{- $route := .Values.httpRoute -}}
{{- if $route.enabled -}}
{{- if not $route.parentRefs -}}
httpRoute.enabled needs httpRoute.parentRefs: name the Gateway that the route belongs to
{{- else if not (or $route.hostnames (.Values.muster.http).allowedHosts) -}}
httpRoute.enabled needs httpRoute.hostnames: the gateway serves hosts that it knows by name only; without hostnames, name those of the Gateway in muster.http.allowedHosts
{{- else -}}
{{- include "gateway.wildcardProblem" (dict "root" . "key" "httpRoute.hostnames" "hosts" $route.hostnames) | splitList "\n" | first -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* 0s means no limit. */}}
{{- define "gateway.routeTimeoutsProblem" -}}
{{- $timeouts := .Values.httpRoute.timeouts -}}
{{- if and .Values.httpRoute.enabled $timeouts.request $timeouts.backendRequest -}}
{{- $request := include "gateway.milliseconds" $timeouts.request | int64 -}}
{{- if and $request (gt (include "gateway.milliseconds" $timeouts.backendRequest | int64) $request) -}}
{{- printf "httpRoute.timeouts.backendRequest %s is longer than httpRoute.timeouts.request %s" $timeouts.backendRequest $timeouts.request -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.remoteProblem" -}}
{{- $remote := .Values.remoteMCPServer -}}
{{- if $remote.enabled -}}
{{- if and (eq $remote.allowedNamespaces.from "Selector") (not $remote.allowedNamespaces.selector) -}}
remoteMCPServer.allowedNamespaces.from: Selector needs remoteMCPServer.allowedNamespaces.selector
{{- else if and (ne $remote.allowedNamespaces.from "Selector") $remote.allowedNamespaces.selector -}}
{{- printf "remoteMCPServer.allowedNamespaces.selector is for from: Selector, not for from: %s" $remote.allowedNamespaces.from -}}
{{- end -}}
{{- end -}}
{{- end -}}
