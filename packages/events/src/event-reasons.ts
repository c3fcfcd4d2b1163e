import type { EventReason } from './event-facts.ts';
import { because, type ReasonDescription, type ReasonsOf } from './reason-description.ts';
import { SERVER_REASONS } from './server-reasons.ts';
import { WORKFLOW_REASONS } from './workflow-reasons.ts';

const CONFIGURATION_REASONS: ReasonsOf<'Configuration'> = {
  ConfigurationUpdated: {
    kind: 'Configuration',
    type: 'Normal',
    when: 'A change of the configuration took effect.',
    message: ({ name }) => `Configuration ${name} successfully updated`,
  },
  ConfigurationValidationFailed: {
    kind: 'Configuration',
    type: 'Warning',
    when: 'A change of the configuration was refused: what was in force stays.',
    message: ({ name, error }) => `Configuration ${name} validation failed${because(error)}`,
  },
};

/** Everything that the gateway reports: what it is about, whether it wants attention, and its text. @spec §6 */
export const EVENT_REASONS: { readonly [R in EventReason]: ReasonDescription<R> } = {
  ...SERVER_REASONS,
  ...WORKFLOW_REASONS,
  ...CONFIGURATION_REASONS,
};
