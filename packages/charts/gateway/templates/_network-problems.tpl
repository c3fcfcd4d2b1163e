{{/* Returns the first problem of the values for additional objects, as one sentence; empty without problems. Each takes the root context. */}}

{{- define "gateway.networkProblem" -}}
{{- $problem := "" -}}
{{- range list "gateway.service" "library.scaling" "library.disruption" "gateway.networkPolicy" "gateway.scrape" "gateway.alerts" "gateway.ingress" "gateway.ingressTls" "gateway.route" "gateway.routeTimeouts" "gateway.remote" -}}
{{- if not $problem -}}
{{- $problem = include (printf "%sProblem" .) $ -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "gateway.serviceProblem" -}}
{{- if and .Values.service.nodePort (eq .Values.service.type "ClusterIP") -}}
{{- printf "service.nodePort is %d, and a Service of type ClusterIP has none: set service.type, or omit it" (int .Values.service.nodePort) -}}
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
