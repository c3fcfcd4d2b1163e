import type { Requirements } from '@gateway/repo-checks';

/** What of the specification this package answers for: what callers of agent-manager may ask, and what they are told. */
export const requirements = {
  '1.6/agent-manager':
    'An agent-manager service offers tools and REST routes that create, validate, update and read agents with a toolset.',

  '4.4/create-route': 'create_agent is POST /api/v1/agents.',
  '4.4/create-required': 'create_agent requires toolset.',
  '4.4/create-names-presets':
    'The refusal of a missing toolset names the shipped presets: read-only, none, infrastructure, agent-platform, full.',
  '4.4/create-points':
    'The refusal points at preset:none for a chat-only agent and at preset:full for the deliberate choice of every tool.',
  '4.4/validate-route': 'validate_agent is POST /api/v1/agents/validate.',
  '4.4/update-route': 'update_agent is PATCH /api/v1/agents/{ns}/{name}.',
  '4.4/read-routes': 'get_agent and list_agents are GET below /api/v1/agents.',
  '4.4/grammar':
    'The inline grammar is validated: non-empty, at most 32 selectors, the four forms, toolset: reserved, label: refused.',
  '4.4/never-resolves':
    'agent-manager never resolves a toolset; resolution belongs to the gateway, per caller.',
  '4.4/tool-names-removed': 'The former argument toolNames is removed.',

  '7.5/missing-toolset': 'A missing toolset on create is refused as §4.4 says.',
  '7.5/tool-names':
    'A caller still passing toolNames is told that it never narrowed anything against the gateway.',
  '7.5/tool-names-hint':
    'The message hints at declaring a toolset instead, for example toolset: ["preset:read-only"].',

  '8/inline-selectors-agent-manager': 'At most 32 inline selectors in the agent-manager argument.',

  '9.2/agent-manager-0.4.0':
    'agent-manager 0.4.0 brings toolset on create (required), validate and update; toolNames removed; implicitFullAccess on reads.',
} as const satisfies Requirements;
