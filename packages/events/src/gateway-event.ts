/** The facts of each reason in addition to the resource. Texts are one line without secrets. @spec §6 */
export interface EventFacts {
  readonly MCPServerCreated: NoFacts;
  readonly MCPServerUpdated: NoFacts;
  readonly MCPServerDeleted: NoFacts;
  readonly MCPServerValidationFailed: { readonly error: string };
  readonly MCPServerValidationSucceeded: NoFacts;
  readonly MCPServerStarting: NoFacts;
  readonly MCPServerStarted: NoFacts;
  readonly MCPServerStopped: NoFacts;
  readonly MCPServerRestarting: NoFacts;
  readonly MCPServerFailed: { readonly error: string };
  /** `omitted`: what the list lacks, as one phrase; absent when it is complete. */
  readonly MCPServerToolsDiscovered: { readonly tools: number; readonly omitted?: string };
  readonly MCPServerToolsUnavailable: { readonly error: string };
  readonly MCPServerHealthCheckFailed: { readonly error: string };
  readonly MCPServerHealthCheckSucceeded: NoFacts;
  readonly MCPServerRecoveryStarted: NoFacts;
  readonly MCPServerRecoverySucceeded: NoFacts;
  readonly MCPServerRecoveryFailed: { readonly error: string };
  readonly MCPServerAuthRequired: NoFacts;
  /** A person signed in to a server, or out of it. Events name no persons. */
  readonly MCPServerPersonSignedIn: NoFacts;
  readonly MCPServerPersonSignedOut: NoFacts;
  readonly MCPServerSignInFailed: { readonly error: string };
  /** The authorization server of a server does not renew the token of a person. `error`: a code of a standard. */
  readonly MCPServerTokenRefreshRefused: { readonly error: string };
  /** A server requires scopes that the token of a person does not have. */
  readonly MCPServerScopesRequired: NoFacts;
  readonly MCPServerProviderUnavailable: { readonly during: 'sign-in' | 'refresh' };
  readonly MCPServerTokenForwardingFailed: { readonly error: string };
  readonly MCPServerTokenExchangeFailed: { readonly error: string };
  /** The declaration of a tool changed. `fields`: of `description`, `inputSchema`, `outputSchema`, `annotations`, `title`. */
  readonly MCPServerToolChanged: { readonly tool: string; readonly fields: readonly string[] };
  /** `readOnlyHint` changed from false or unset to true. `held`: it has no effect before it is accepted. */
  readonly MCPServerToolHintWidened: { readonly tool: string; readonly held: boolean };
  readonly MCPServerToolsAccepted: { readonly tools: readonly string[] };
  /** A tool is not listed, or listed with a warning, because of its name. */
  readonly MCPServerToolNameRefused: { readonly tool: string; readonly error: string };
  /** Two tools have one exposed name; the one of this server is dropped. */
  readonly MCPServerToolNameConflict: { readonly tool: string; readonly keptBy: string };
  readonly WorkflowCreated: { readonly steps: number };
  readonly WorkflowUpdated: { readonly steps: number };
  readonly WorkflowDeleted: NoFacts;
  readonly WorkflowValidationFailed: { readonly error: string };
  readonly WorkflowValidationSucceeded: NoFacts;
  readonly WorkflowExecutionStarted: { readonly execution: string };
  readonly WorkflowExecutionCompleted: { readonly steps: number; readonly durationMs: number };
  readonly WorkflowExecutionFailed: { readonly step?: string; readonly error: string };
  readonly WorkflowExecutionTracked: { readonly execution: string };
  readonly WorkflowStepStarted: { readonly step: string; readonly tool?: string };
  readonly WorkflowStepCompleted: { readonly step: string };
  readonly WorkflowStepFailed: { readonly step: string; readonly error: string };
  readonly WorkflowStepSkipped: { readonly step: string };
  readonly WorkflowStepConditionEvaluated: { readonly step: string; readonly holds: boolean };
  readonly WorkflowUnavailable: { readonly missing: readonly string[] };
  readonly WorkflowToolRegistered: NoFacts;
  readonly WorkflowCapabilitiesRefreshed: NoFacts;
  /** `config.yaml`, or the presets in it, took effect. */
  readonly ConfigurationUpdated: NoFacts;
  /** An edit of `config.yaml` was refused; the previous configuration stays in force. */
  readonly ConfigurationValidationFailed: { readonly error: string };
  /** The OpenID provider that the configuration names does not answer. */
  readonly ConfigurationProviderUnavailable: NoFacts;
}

/** No facts in addition to the resource. */
export type NoFacts = object;

/** The reason of an event: one word for the kind of fact. */
export type EventReason = keyof EventFacts;

/** A state change of a resource. The reason determines the kind of the resource. @spec §6 */
export type GatewayEvent = {
  readonly [R in EventReason]: {
    readonly reason: R;
    /** Of the resource. */
    readonly name: string;
    /** `default` when absent. */
    readonly namespace?: string;
  } & EventFacts[R];
}[EventReason];

/** Takes events; must not throw. */
export type EventSink = (event: GatewayEvent) => void;

/** The kinds of resources that events are about. */
export type EventKind = 'MCPServer' | 'Workflow' | 'Configuration';

/** The type of an event; a `Warning` requires attention. */
export type EventType = 'Normal' | 'Warning';

/** A recorded event with the count of its occurrences. Times are milliseconds since the epoch. */
export interface StoredEvent {
  /** Increases with every occurrence, also across restarts. An aggregated event has the number of its latest occurrence. */
  readonly id: number;
  readonly kind: EventKind;
  readonly name: string;
  readonly namespace: string;
  readonly reason: string;
  readonly message: string;
  readonly type: EventType;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}
