{{/*
Why a release with a Service and an account cannot be rendered: one sentence, or nothing. Takes the root context.
*/}}
{{- define "library.releaseProblem" -}}
{{- $name := include "library.fullname" . -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- printf "the objects would be called %q, which a Service cannot be (a letter, then letters, digits and \"-\"): set %sfullnameOverride" $name (include "library.valuesPath" .) -}}
{{- else -}}
{{- include "library.accountProblem" . -}}
{{- end -}}
{{- end -}}

{{/* The account `default` is that of every pod in the namespace that names none. */}}
{{- define "library.accountProblem" -}}
{{- if and .Values.rbac.create (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- $path := include "library.valuesPath" . -}}
{{- printf "%srbac.create would give its rights to the account \"default\", and so to other pods: name an account in %sserviceAccount.name, or set %sserviceAccount.create" $path $path $path -}}
{{- end -}}
{{- end -}}
