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
    when: 'A change of the configuration was refused. The previous configuration stays in force.',
    message: ({ name, error }) => `Configuration ${name} validation failed${because(error)}`,
  },
  ConfigurationProviderUnavailable: {
    kind: 'Configuration',
    type: 'Warning',
    when: 'The OpenID provider of mode broker does not answer. Reported once until it answers again.',
    message: ({ name }) =>
      `Configuration ${name}: the OpenID provider of auth.broker.upstream is not available`,
  },
};

/** All reasons of events: kind of resource, type, condition and message. @spec §6 */
export const EVENT_REASONS: { readonly [R in EventReason]: ReasonDescription<R> } = {
  ...SERVER_REASONS,
  ...WORKFLOW_REASONS,
  ...CONFIGURATION_REASONS,
};
