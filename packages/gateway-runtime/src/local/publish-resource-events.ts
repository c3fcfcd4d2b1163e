import { EVENT_REASONS, eventText, type EventSink, type GatewayEvent } from '@gateway/events';
import {
  resourceEvents,
  resourceProblemText,
  type GatewayStore,
  type StoreState,
} from '@gateway/resource-store';
import type { Logger } from 'pino';
import { CONFIGURATION_NAME } from '@gateway/gateway-config';

/** Receivers of the events. */
export interface ResourceEventTargets {
  readonly emit: EventSink;
  readonly logger: Logger;
}

/** Publishes events and log lines when definitions are added, changed, removed, become invalid or valid. @returns a function that stops it */
export function publishResourceEvents(
  store: GatewayStore,
  { emit, logger }: ResourceEventTargets,
): () => void {
  for (const event of resourceEvents(undefined, store.current())) emit(event);
  return store.subscribe((state, previous) => {
    for (const event of resourceEvents(previous, state)) {
      emit(event);
      logEvent(logger, event);
    }
    if (state.configProblems !== previous.configProblems) publishConfigurationProblem(state, emit);
  });
}

/** Logs an event. The problems of an invalid file are logged by `followStore`. */
function logEvent(logger: Logger, event: GatewayEvent): void {
  const { reason, name } = event;
  const { kind, type } = EVENT_REASONS[reason];
  if (type === 'Normal') logger.info({ kind, name, reason }, eventText(event));
}

/** Publishes an event when `config.yaml` is not YAML. The live configuration validates its content. */
function publishConfigurationProblem(
  { configProblems: [problem] }: StoreState,
  emit: EventSink,
): void {
  if (problem === undefined) return;
  const error = resourceProblemText(problem);
  emit({ reason: 'ConfigurationValidationFailed', name: CONFIGURATION_NAME, error });
}
