{{/*
Returns the first problem of a release with a Service and an account, as one sentence. Takes the root context.
*/}}
{{- define "library.releaseProblem" -}}
{{- include "library.nameProblem" . | default (include "library.accountProblem" .) -}}
{{- end -}}

{{- define "library.nameProblem" -}}
{{- $name := include "library.fullname" . -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- printf "the objects would have the name %q, which is not valid for a Service (a letter, then letters, digits and \"-\"): set %sfullnameOverride" $name (include "library.valuesPath" .) -}}
{{- end -}}
{{- end -}}

{{/* Every pod without an account uses the account `default` of its namespace. */}}
{{- define "library.accountProblem" -}}
{{- if and .Values.rbac.create (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- $path := include "library.valuesPath" . -}}
{{- printf "%srbac.create would grant its permissions to the account \"default\" and to other pods: set an account in %sserviceAccount.name, or set %sserviceAccount.create" $path $path $path -}}
{{- end -}}
{{- end -}}
