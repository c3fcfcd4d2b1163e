import { EVENT_REASONS, eventText, type EventSink, type GatewayEvent } from '@gateway/events';
import {
  resourceEvents,
  resourceProblemText,
  type FileStore,
  type StoreState,
} from '@gateway/resource-store';
import type { Logger } from 'pino';
import { CONFIGURATION_NAME } from '@gateway/gateway-config';

/** Who is told. */
export interface ResourceEventTargets {
  readonly emit: EventSink;
  readonly logger: Logger;
}

/** Says in events and in the log which definitions appear, change, go, break and are mended, from now on. @returns the way to stop it */
export function publishResourceEvents(
  store: FileStore,
  { emit, logger }: ResourceEventTargets,
): () => void {
  for (const event of resourceEvents(undefined, store.current())) emit(event);
  return store.subscribe((state, previous) => {
    for (const event of resourceEvents(previous, state)) {
      emit(event);
      log(logger, event);
    }
    if (state.configProblems !== previous.configProblems) tellOfConfiguration(state, emit);
  });
}

/** What breaks is logged as the problems of its file, by whoever follows the store. */
function log(logger: Logger, event: GatewayEvent): void {
  const { reason, name } = event;
  const { kind, type } = EVENT_REASONS[reason];
  if (type === 'Normal') logger.info({ kind, name, reason }, eventText(event));
}

/** A text that is no YAML never becomes a configuration; one that is, is judged by whoever takes it over. */
function tellOfConfiguration({ configProblems: [problem] }: StoreState, emit: EventSink): void {
  if (problem === undefined) return;
  const error = resourceProblemText(problem);
  emit({ reason: 'ConfigurationValidationFailed', name: CONFIGURATION_NAME, error });
}
