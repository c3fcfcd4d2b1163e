// Generated from the definitions of the fields by `pnpm gen`.
import type { JsonMap, JsonValue } from '@gateway/go-template';

/** `metadata` of a resource. */
export type MetadataDocument = {
  /** Name of the resource; that of its file without the ending. At most 253 characters. */
  readonly name: string;
  /** Namespace of the resource. At most 63 characters. Default: `"default"`. */
  readonly namespace?: string;
  /** Labels, by which presets select servers. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Notes for people and other programs. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: JsonValue;
  readonly deletionGracePeriodSeconds?: JsonValue;
  readonly deletionTimestamp?: JsonValue;
  readonly finalizers?: JsonValue;
  readonly generateName?: JsonValue;
  readonly generation?: JsonValue;
  readonly managedFields?: JsonValue;
  readonly ownerReferences?: JsonValue;
  readonly resourceVersion?: JsonValue;
  readonly selfLink?: JsonValue;
  readonly uid?: JsonValue;
};

/** A document of the kind `MCPServer`, as it is written. @spec §1.5 */
export type McpServerDocument = {
  /** API group and version: `gateway.internal/v1alpha1`, unless configured otherwise. */
  readonly apiVersion: string;
  readonly kind: 'MCPServer';
  readonly metadata: MetadataDocument;
  readonly spec: McpServerSpecDocument;
  /** Written by the gateway. Accepted and ignored. */
  readonly status?: JsonValue;
};

/** A server that runs as a child process. */
export type StdioServerSpecDocument = {
  /** The transport of the server. */
  readonly type: 'stdio';
  /** Takes the place of the server's name in the exposed names of its tools. At most 128 characters. */
  readonly toolPrefix?: string;
  /** Groups equivalent instances under one exposed surface. */
  readonly family?: FamilyDocument;
  /** The purpose of the server. At most 500 characters. */
  readonly description?: string;
  /** Start the server when the gateway starts or when what it depends on becomes available. Default: `false`. */
  readonly autoStart?: boolean;
  /** Executable of a stdio server; required when type is stdio. At most 4096 characters. */
  readonly command: string;
  /** Command-line arguments; only when type is stdio. */
  readonly args?: readonly string[];
  /** Working directory of the process, from which relative paths in command and args count; only when type is stdio. The configuration directory when unset; a relative path counts from it. At most 4096 characters. */
  readonly cwd?: string;
  /** Time limit for the start of the process, its installation included, in seconds; only when type is stdio. servers.stdioStartSeconds unless set. */
  readonly startTimeout?: number;
  /** Connections: shared, one for all clients, or perSession, a process or session for each client, which keeps state and receives answers of that client only. shared unless set. */
  readonly instances?: 'shared' | 'perSession';
  /** Revision of MCP: 2025-11-25 (with initialize; older 2025 revisions too), 2026-07-28, or auto, the one in which the server declares the most, 2026-07-28 if both are equal. auto unless set. */
  readonly protocol?: 'auto' | '2025-11-25' | '2026-07-28';
  readonly url?: never;
  /** Environment variables for the server. */
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: never;
  /** Environment variables whose values are keys of Secrets and ConfigMaps; only when type is stdio. */
  readonly envFrom?: readonly EnvFromDocument[];
  readonly headersFrom?: never;
  /** Connection timeout for remote operations, in seconds. Default: `30`. */
  readonly timeout?: number;
  /** Bytes of text above which a result is kept and its first part returned; 0: never. servers.maxResultBytes unless set. */
  readonly maxResultBytes?: number;
  /** Check arguments by the input schema before a call. servers.checkArguments unless set. */
  readonly checkArguments?: boolean;
  /** Limits of calls. */
  readonly limits?: RequestLimitsDocument;
  /** Changes of tools. Later entries win, names before patterns. */
  readonly tools?: readonly ToolRuleDocument[];
  readonly auth?: never;
};

/** A server that is reached over HTTP. */
export type RemoteServerSpecDocument = {
  /** The transport of the server. */
  readonly type: 'streamable-http' | 'sse';
  /** Takes the place of the server's name in the exposed names of its tools. At most 128 characters. */
  readonly toolPrefix?: string;
  /** Groups equivalent instances under one exposed surface. */
  readonly family?: FamilyDocument;
  /** The purpose of the server. At most 500 characters. */
  readonly description?: string;
  /** Start the server when the gateway starts or when what it depends on becomes available. Default: `false`. */
  readonly autoStart?: boolean;
  readonly command?: never;
  readonly args?: never;
  readonly cwd?: never;
  readonly startTimeout?: never;
  /** Connections: shared, one for all clients, or perSession, a process or session for each client, which keeps state and receives answers of that client only. shared unless set. */
  readonly instances?: 'shared' | 'perSession';
  /** Revision of MCP: 2025-11-25 (with initialize; older 2025 revisions too), 2026-07-28, or auto, the one in which the server declares the most, 2026-07-28 if both are equal. auto unless set. */
  readonly protocol?: 'auto' | '2025-11-25' | '2026-07-28';
  /** Endpoint URL; required when type is streamable-http or sse. At most 2048 characters. */
  readonly url: string;
  /** Environment variables for the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** HTTP headers for requests to the server; only when type is streamable-http or sse. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly envFrom?: never;
  /** HTTP headers whose values are keys of Secrets and ConfigMaps; only when type is streamable-http or sse. */
  readonly headersFrom?: readonly HeadersFromDocument[];
  /** Connection timeout for remote operations, in seconds. Default: `30`. */
  readonly timeout?: number;
  /** Bytes of text above which a result is kept and its first part returned; 0: never. servers.maxResultBytes unless set. */
  readonly maxResultBytes?: number;
  /** Check arguments by the input schema before a call. servers.checkArguments unless set. */
  readonly checkArguments?: boolean;
  /** Limits of calls. */
  readonly limits?: RequestLimitsDocument;
  /** Changes of tools. Later entries win, names before patterns. */
  readonly tools?: readonly ToolRuleDocument[];
  /** Authentication; only when type is streamable-http or sse. */
  readonly auth?: AuthDocument;
};

/** `spec` of an `MCPServer`. */
export type McpServerSpecDocument = StdioServerSpecDocument | RemoteServerSpecDocument;

/** Equivalent servers under one exposed surface. */
export type FamilyDocument = {
  /** Servers that share this name share one exposed surface. At most 128 characters. */
  readonly name: string;
  /** Name of the required argument by which callers select the instance; the same in the whole family. At most 128 characters. */
  readonly instanceArg: string;
};

/** An environment variable whose value is in a Secret or ConfigMap. */
export type EnvFromDocument = {
  /** Name of the environment variable. At most 256 characters. */
  readonly name: string;
  /** Key of a Secret; exactly one of secretKeyRef and configMapKeyRef is required. */
  readonly secretKeyRef?: SecretKeyRefDocument;
  /** Key of a ConfigMap; exactly one of secretKeyRef and configMapKeyRef is required. */
  readonly configMapKeyRef?: ConfigMapKeyRefDocument;
};

/** A key of a Secret. */
export type SecretKeyRefDocument = {
  /** Name of the Secret, which is in the namespace of the MCPServer. At most 253 characters. */
  readonly name: string;
  /** Key of the value in the Secret. At most 253 characters. */
  readonly key: string;
  /** Go without the value while the Secret or the key does not exist. Default: `false`. */
  readonly optional?: boolean;
};

/** A key of a ConfigMap. */
export type ConfigMapKeyRefDocument = {
  /** Name of the ConfigMap, which is in the namespace of the MCPServer. At most 253 characters. */
  readonly name: string;
  /** Key of the value in the ConfigMap. At most 253 characters. */
  readonly key: string;
  /** Go without the value while the ConfigMap or the key does not exist. Default: `false`. */
  readonly optional?: boolean;
};

/** A header whose value is in a Secret or ConfigMap. */
export type HeadersFromDocument = {
  /** Name of the header. At most 256 characters. */
  readonly name: string;
  /** Key of a Secret; exactly one of secretKeyRef and configMapKeyRef is required. */
  readonly secretKeyRef?: SecretKeyRefDocument;
  /** Key of a ConfigMap; exactly one of secretKeyRef and configMapKeyRef is required. */
  readonly configMapKeyRef?: ConfigMapKeyRefDocument;
};

/** Limits of calls. */
export type RequestLimitsDocument = {
  /** Calls that run at once; others wait. */
  readonly concurrency?: number;
  /** Calls that wait; others are refused. */
  readonly queue?: number;
  /** Calls in a period. */
  readonly rate?: RateLimitDocument;
  /** Seconds of a call. */
  readonly callTimeout?: number;
  /** Seconds of a call with progress. */
  readonly maxCallTimeout?: number;
  /** Refuses calls after failures. */
  readonly breaker?: BreakerDocument;
};

/** Calls in a period. */
export type RateLimitDocument = {
  /** Calls of one user in the period. */
  readonly perUser?: number;
  /** Calls of all users in the period. */
  readonly total?: number;
  /** The period. Default: `60`. */
  readonly seconds?: number;
};

/** Refusal of calls after failures in a row. */
export type BreakerDocument = {
  /** Failures in a row. */
  readonly failures: number;
  /** Seconds to the next attempt. */
  readonly openSeconds: number;
};

/** A change of the tools of a server that match `name` or `pattern`. */
export type ToolRuleDocument = {
  /** The server's own name of a tool. At most 512 characters. */
  readonly name?: string;
  /** Glob over these names. At most 256 characters. */
  readonly pattern?: string;
  /** Shown title. At most 256 characters. */
  readonly title?: string;
  /** Shown description. At most 4096 characters. */
  readonly description?: string;
  /** Shown hints. */
  readonly annotations?: ToolAnnotationsDocument;
  /** Hides the tool. */
  readonly hidden?: boolean;
  /** Arguments that callers do not see. */
  readonly defaults?: Readonly<Record<string, JsonValue>>;
  /** The same from Secrets and ConfigMaps. */
  readonly defaultsFrom?: readonly DefaultsFromDocument[];
  /** Limits of calls. */
  readonly limits?: RequestLimitsDocument;
};

/** Hints about a tool. */
export type ToolAnnotationsDocument = {
  /** Changes nothing; adds the tool to read-only toolsets. */
  readonly readOnlyHint?: boolean;
  /** May delete or overwrite. */
  readonly destructiveHint?: boolean;
  /** Repetition changes nothing. */
  readonly idempotentHint?: boolean;
  /** Uses other systems. */
  readonly openWorldHint?: boolean;
};

/** An argument whose value is in a Secret or ConfigMap. */
export type DefaultsFromDocument = {
  /** Name of the argument. At most 128 characters. */
  readonly name: string;
  /** Key of a Secret; exactly one of secretKeyRef and configMapKeyRef is required. */
  readonly secretKeyRef?: SecretKeyRefDocument;
  /** Key of a ConfigMap; exactly one of secretKeyRef and configMapKeyRef is required. */
  readonly configMapKeyRef?: ConfigMapKeyRefDocument;
};

/** The method by which a remote server authenticates its callers. */
export type AuthDocument = {
  /** The method by which the server authenticates its callers. Default: `"none"`. */
  readonly type?: 'oauth' | 'none';
  /** Forward the user's ID token instead of a separate OAuth flow; the server must trust the gateway's client ID. Default: `false`. */
  readonly forwardToken?: boolean;
  /** Extra audiences that the forwarded ID token should carry, requested from the identity provider at login. Default: `[]`. */
  readonly requiredAudiences?: readonly string[];
  /** RFC 8693 token exchange for single sign-on across clusters; takes precedence over forwardToken. */
  readonly tokenExchange?: TokenExchangeDocument;
  /** For backends without RFC 9728 metadata; only when type is oauth, without forwardToken and tokenExchange. */
  readonly authorizationServer?: AuthorizationServerDocument;
};

/** RFC 8693 token exchange. */
export type TokenExchangeDocument = {
  /** Enables the exchange of tokens. Default: `false`. */
  readonly enabled?: boolean;
  /** URL of the remote identity provider's token endpoint; required when enabled is true. At most 2048 characters. */
  readonly dexTokenEndpoint?: string;
  /** Expected iss claim of the exchanged token; derived from dexTokenEndpoint unless set. At most 2048 characters. */
  readonly expectedIssuer?: string;
  /** ID of the remote connector that trusts the local identity provider; required when enabled is true. At most 128 characters. */
  readonly connectorId?: string;
  /** Scopes of the exchanged token, separated by spaces. At most 2048 characters. Default: `"openid profile email groups"`. */
  readonly scopes?: string;
  /** Secret with client credentials, when the remote provider requires client authentication. */
  readonly clientCredentialsSecretRef?: ClientCredentialsSecretRefDocument;
};

/** The secret that contains client credentials. */
export type ClientCredentialsSecretRefDocument = {
  /** Name of the Secret. At most 253 characters. */
  readonly name: string;
  /** Namespace of the Secret; that of the MCPServer unless set. At most 63 characters. */
  readonly namespace?: string;
  /** Key of the client ID in the Secret. At most 253 characters. Default: `"client-id"`. */
  readonly clientIdKey?: string;
  /** Key of the client secret in the Secret. At most 253 characters. Default: `"client-secret"`. */
  readonly clientSecretKey?: string;
};

/** The authorization server of a backend without RFC 9728 metadata. */
export type AuthorizationServerDocument = {
  /** OAuth 2.0 or OIDC issuer URL: HTTPS, no trailing slash. At most 2048 characters. */
  readonly issuer: string;
  /** OAuth scopes, separated by spaces. At most 2048 characters. */
  readonly scopes?: string;
  /** Secret with the client that is registered for the gateway at the issuer. */
  readonly clientCredentialsSecretRef?: ClientCredentialsSecretRefDocument;
};

/** A document of the kind `Workflow`, as it is written. @spec §1.5 */
export type WorkflowDocument = {
  /** API group and version: `gateway.internal/v1alpha1`, unless configured otherwise. */
  readonly apiVersion: string;
  readonly kind: 'Workflow';
  readonly metadata: MetadataDocument;
  readonly spec: WorkflowSpecDocument;
  /** Written by the gateway. Accepted and ignored. */
  readonly status?: JsonValue;
};

/** `spec` of a `Workflow`. */
export type WorkflowSpecDocument = {
  /** The only text by which an agent discovers the workflow. At most 1000 characters. Default: `""`. */
  readonly description?: string;
  /** Arguments by name. */
  readonly args?: Readonly<Record<string, ArgumentDefinitionDocument>>;
  /** Run in order; each is exactly one of tool, forEach and parallel. */
  readonly steps: readonly StepDocument[];
  /** Cleanup after a failure that is not allowed; run in order, tolerating their own failures. Default: `[]`. */
  readonly onFailure?: readonly SubStepDocument[];
  /** Template of the returned document, in place of the default one. */
  readonly output?: JsonMap;
};

/** One argument of a workflow. */
export type ArgumentDefinitionDocument = {
  /** JSON type of the argument; nothing is converted. */
  readonly type: 'string' | 'integer' | 'boolean' | 'number' | 'object' | 'array';
  /** Requires callers to set the argument. Default: `false`. */
  readonly required?: boolean;
  /** Used when the caller omits the argument. Must have the type of the argument. */
  readonly default?: JsonValue;
  /** The purpose of the argument, shown to callers. At most 500 characters. */
  readonly description?: string;
};

/** A step that calls a tool. */
export type ToolStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  /** Arguments of the tool; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}. */
  readonly args?: JsonMap;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  /** Exposed name of the tool to call. At most 512 characters. */
  readonly tool: string;
  readonly forEach?: never;
  readonly parallel?: never;
};

/** A step that runs its sub-steps once for each item of a list. */
export type ForEachStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  readonly args?: never;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  readonly tool?: never;
  /** Runs its steps once for each item. */
  readonly forEach: ForEachDocument;
  readonly parallel?: never;
};

/** A step whose sub-steps run at once. */
export type ParallelStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  readonly args?: never;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  readonly tool?: never;
  readonly forEach?: never;
  /** Sub-steps that run at once. */
  readonly parallel: readonly SubStepDocument[];
};

/** One step of a workflow. */
export type StepDocument = ToolStepDocument | ForEachStepDocument | ParallelStepDocument;

/** A condition that is rendered. */
export type TemplateConditionDocument = {
  /** Runs the step only when it renders to true. At most 262144 characters. */
  readonly template: string;
  readonly tool?: never;
  readonly args?: never;
  readonly fromStep?: never;
  /** The expectation that must hold. */
  readonly expect?: ExpectationDocument;
  /** The expectation that must not hold. */
  readonly expectNot?: ExpectationDocument;
};

/** A condition on what a tool answers. */
export type ToolConditionDocument = {
  readonly template?: never;
  /** Tool to call for the check. At most 512 characters. */
  readonly tool: string;
  /** Arguments of the tool; texts may be templates. */
  readonly args?: JsonMap;
  readonly fromStep?: never;
  /** The expectation that must hold. */
  readonly expect?: ExpectationDocument;
  /** The expectation that must not hold. */
  readonly expectNot?: ExpectationDocument;
};

/** A condition on the result of an earlier step. */
export type FromStepConditionDocument = {
  readonly template?: never;
  readonly tool?: never;
  readonly args?: never;
  /** ID of the earlier step whose result is checked. At most 80 characters. */
  readonly fromStep: string;
  /** The expectation that must hold. */
  readonly expect?: ExpectationDocument;
  /** The expectation that must not hold. */
  readonly expectNot?: ExpectationDocument;
};

/** The condition for running a step. */
export type ConditionDocument =
  TemplateConditionDocument | ToolConditionDocument | FromStepConditionDocument;

/** The requirements for a result. */
export type ExpectationDocument = {
  /** True for a call that succeeded, false for one that failed. */
  readonly success?: boolean;
  /** Path in the result, or template over .result, to the value that must be there. */
  readonly jsonPath?: Readonly<Record<string, JsonValue>>;
};

/** A loop. */
export type ForEachDocument = {
  /** Template that gives a list. At most 262144 characters. */
  readonly items: string;
  /** Name of the item: {{ .vars.<as> }}, its index {{ .vars.<as>_index }}. At most 63 characters. Default: `"item"`. */
  readonly as?: string;
  /** Run in order for each item. */
  readonly steps: readonly SubStepDocument[];
};

/** A step inside of `forEach`, `parallel` or `onFailure`: always a tool call. */
export type SubStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  /** Arguments of the tool; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}. */
  readonly args?: JsonMap;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  /** Exposed name of the tool to call. At most 512 characters. */
  readonly tool: string;
};
