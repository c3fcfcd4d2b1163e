import type { Requirements } from '@gateway/repo-checks';

export const requirements = {
  '1.5/mcpserver-kind':
    'MCPServer, in the API group and version v1alpha1, registers a downstream MCP server.',
  '1.5/api-group': 'The API group is a parameter; the version is v1alpha1.',

  '2.6/top-level': 'Top level: apiVersion, kind, metadata (name, namespace, labels), spec, status.',
  '2.6/type': 'type is required: stdio, streamable-http or sse.',
  '2.6/command': 'command is the executable of a stdio server.',
  '2.6/args': 'args are command-line arguments of a stdio server.',
  '2.6/url': 'url is the endpoint of a remote server.',
  '2.6/env': 'env is a map of environment variables.',
  '2.6/headers': 'headers is a map of HTTP headers for requests to a remote server.',
  '2.6/tool-prefix-field': 'toolPrefix is a prefix for the server’s tool names.',
  '2.6/family-field': 'family is an object; name and instanceArg are required in it.',
  '2.6/description': 'description is up to 500 characters.',
  '2.6/auto-start-field': 'autoStart is a boolean, false by default.',
  '2.6/timeout-field': 'timeout is an integer of seconds: default 30, range 1 to 300.',
  '2.6/auth-type': 'auth.type is oauth or none, none by default.',
  '2.6/auth-forward-token': 'auth.forwardToken is a boolean, false by default.',
  '2.6/auth-required-audiences': 'auth.requiredAudiences is an array of audiences.',
  '2.6/auth-precedence':
    'When both tokenExchange and forwardToken are set, token exchange takes precedence.',
  '2.6/authorization-server-exclusions':
    'authorizationServer excludes forwardToken: true and tokenExchange.enabled: true, and is valid only when type is oauth.',
  '2.6/token-exchange-enabled': 'tokenExchange.enabled is false by default.',
  '2.6/token-exchange-endpoint':
    'tokenExchange.dexTokenEndpoint is a URL, required when enabled is true.',
  '2.6/token-exchange-issuer':
    'tokenExchange.expectedIssuer is derived from dexTokenEndpoint when unset.',
  '2.6/token-exchange-connector': 'tokenExchange.connectorId is required when enabled is true.',
  '2.6/token-exchange-scopes': 'tokenExchange.scopes is by default openid profile email groups.',
  '2.6/client-credentials-ref':
    'clientCredentialsSecretRef: name; namespace by default the server’s; clientIdKey client-id; clientSecretKey client-secret.',
  '2.6/issuer': 'authorizationServer.issuer is required: HTTPS, no trailing slash.',
  '2.6/authorization-server-scopes':
    'authorizationServer.scopes are space-separated OAuth scope tokens.',
  '2.6/stdio-states': 'States of a stdio server: Running, Starting, Stopped, Failed.',
  '2.6/remote-states':
    'States of a remote server: Connected, Auth Required, Connecting, Disconnected, Failed.',

  '7.6/command': 'command is required for stdio.',
  '7.6/url': 'url is required for streamable-http and sse.',
  '7.6/args': 'args only for stdio.',
  '7.6/headers': 'headers only for remote types.',
  '7.6/authorization-server': 'authorizationServer excludes what §2.6 says.',
  '7.6/token-exchange': 'tokenExchange requires dexTokenEndpoint and connectorId when enabled.',

  '8/server-description': 'MCPServer.spec.description is up to 500 characters.',
  '8/server-timeout': 'MCPServer.spec.timeout: default 30, min 1, max 300 seconds.',
  '8/server-auto-start': 'MCPServer autoStart is false by default.',

  '9.1/group-version': 'Custom resources: API group, version v1alpha1.',

  // The Workflow resource.
  '1.5/workflow-kind':
    'Workflow, in the same API group and version, packages a multi-step operation into one agent-callable tool.',

  '2.7/top-level': 'Top level: apiVersion, kind Workflow, metadata.name, spec, status.',
  '2.7/description':
    'spec.description is up to 1000 characters; it is the only text by which an agent discovers the workflow.',
  '2.7/args': 'spec.args is a map of argument definitions keyed by argument name.',
  '2.7/steps': 'spec.steps is required, with at least one step.',
  '2.7/on-failure-field': 'spec.onFailure is an array of sub-steps.',
  '2.7/output-field': 'spec.output is an object: the template of the returned document.',

  '2.7/argument-type':
    'An argument’s type is required: string, integer, boolean, number, object or array.',
  '2.7/argument-required-field': 'An argument’s required is a boolean, false by default.',
  '2.7/argument-default-field': 'An argument’s default is of any type.',
  '2.7/argument-description': 'An argument’s description is up to 500 characters.',

  '2.7/step-exactly-one':
    'A step has exactly one of tool, forEach, parallel; a validation rule enforces it.',
  '2.7/step-id':
    'A step’s id is required, unique in the workflow, up to 63 characters of ^[a-zA-Z0-9_-]+$.',
  '2.7/step-tool': 'A step’s tool is the tool to run, exclusive with forEach and parallel.',
  '2.7/step-args': 'A step’s args is a map whose values may be any JSON type.',
  '2.7/step-condition-field': 'A step’s condition is an object.',
  '2.7/step-for-each-field': 'A step’s forEach is an object.',
  '2.7/step-parallel-field': 'A step’s parallel is an array of sub-steps.',
  '2.7/step-output-field': 'A step’s output is a boolean.',
  '2.7/step-store-field': 'A step’s store is the deprecated alias of output.',
  '2.7/step-allow-failure-field': 'A step’s allowFailure is a boolean, false by default.',
  '2.7/step-description': 'A step’s description is up to 500 characters.',

  '2.7/for-each-items-field': 'forEach.items is required: a template.',
  '2.7/for-each-as-field': 'forEach.as is the name of the loop variable, item by default.',
  '2.7/for-each-steps':
    'forEach.steps is required, with at least one; it cannot nest forEach or parallel.',

  '2.7/sub-step-required': 'A sub-step is always a tool call: id and tool are required.',
  '2.7/sub-step-optional':
    'A sub-step’s optional fields are args, condition, output, store, allowFailure and description, meaning what they mean on a step.',

  '2.7/condition-one-source':
    'A condition has exactly one source among template, tool and fromStep.',
  '2.7/condition-needs-expectation': 'A tool or fromStep condition declares expect or expectNot.',
  '2.7/condition-enforced':
    'Both condition rules are enforced at apply time and on the structured authoring path.',
  '2.7/condition-fields':
    'A condition’s fields are template, tool, args, fromStep, expect and expectNot.',
  '2.7/expectation-fields':
    'An expectation has success (boolean) and jsonPath (map of path to value).',

  '2.7/status':
    'Workflow status: valid, validationErrors, referencedTools, stepCount and standard conditions.',
  '2.7/status-referenced-tools':
    'referencedTools is informational; what is available depends on the user’s session.',

  '7.6/workflow-step-exactly-one': 'A step must be exactly one of tool, forEach, parallel.',
  '7.6/workflow-condition-expectation': 'tool and fromStep conditions require expect or expectNot.',
  '7.6/workflow-steps': 'A workflow has at least one step.',
  '7.6/workflow-for-each-body': 'A forEach body has at least one sub-step.',

  '8/workflow-description': 'Workflow.spec.description is up to 1000 characters.',
  '8/workflow-part-descriptions':
    'The descriptions of arguments, steps and sub-steps are up to 500 characters.',
  '8/workflow-step-id': 'The id of a step or sub-step is up to 63 characters of ^[a-zA-Z0-9_-]+$.',

  '9.1/workflow-group-version':
    'Workflow is served in the API group at v1alpha1; the type reference is that of release 0.10.0.',
} as const satisfies Requirements;
