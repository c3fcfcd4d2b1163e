import type { Principal } from '@gateway/call-contract';

/** The effect of a core tool that writes: it changes definitions of workflows, or anything else of the gateway. */
export type WriteEffect = 'workflows' | 'gateway';

/** Decides whether a principal may call core tools with an effect. */
export type WritePermit = (principal: Principal, effect: WriteEffect) => boolean;

const REMEDIES: Readonly<Record<WriteEffect, string>> = {
  workflows: '"coreTools.writes: workflows" or "coreTools.writes: all"',
  gateway: '"coreTools.writes: all"',
};

/** Returns the sentence that refuses the output of servers. */
export const logRefusalText = ({ issuer }: Principal): string =>
  issuer === undefined
    ? `the output of servers is shown only where core tools may change the gateway, because it may contain arguments of other callers; the operator can permit both with ${REMEDIES.gateway} in config.yaml`
    : 'the output of servers is shown only to callers with the scope mcp:admin or a group of "auth.adminGroups" in config.yaml, because it may contain arguments of other callers';

/** Returns the sentence that refuses a core tool that writes. */
export const writeRefusalText = (
  tool: string,
  effect: WriteEffect,
  { issuer }: Principal,
): string =>
  issuer === undefined
    ? `${tool} is refused because it changes the gateway; the operator can permit it with ${REMEDIES[effect]} in config.yaml`
    : `${tool} is refused because it changes the gateway; it needs the scope mcp:admin or a group of "auth.adminGroups" in config.yaml`;
