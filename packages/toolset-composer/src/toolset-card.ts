import { type DeclaredToolset, readDeclaredToolset } from '@gateway/agent-manager-client';
import { FULL_ACCESS, NO_TOOLS } from './composition.ts';
import type { ResolutionState, ResolvedTools } from './resolution.ts';

/** The access that an agent declares. @spec §2.8 */
export type DeclaredAccess =
  | { readonly access: 'none' }
  /** A gateway tool without the header: everything, without having said so. */
  | { readonly access: 'implicit-full' }
  | { readonly access: 'toolset'; readonly toolset: readonly string[] };

/** Returns the access of an agent as agent-manager reports it. @spec §4.4 */
export const toDeclaredAccess = (agent: DeclaredToolset): DeclaredAccess => {
  if (agent.implicitFullAccess === true) return { access: 'implicit-full' };
  return agent.toolset === undefined
    ? { access: 'none' }
    : { access: 'toolset', toolset: agent.toolset };
};

/**
 * Returns the access that the `Agent` resource of the agent runtime declares for a gateway.
 *
 * @param agent the resource, as JSON
 * @param gateway the name in `mcpServer.name` of the gateway's entries
 * @spec §2.8
 */
export const readDeclaredAccess = (agent: unknown, gateway: string): DeclaredAccess =>
  toDeclaredAccess(readDeclaredToolset(agent, gateway));

/** A selector of an agent as a chip. */
export interface SelectorChip {
  readonly selector: string;
  /** It selects nothing for the user who reads the card. */
  readonly isUnmatched: boolean;
  /** It selects tools after the user has signed in. */
  readonly requiresSignIn: boolean;
}

/** The toolset of an agent as its card shows it. */
export type ToolsetCard =
  | { readonly kind: 'no-tools' }
  | { readonly kind: 'implicit-full-access' }
  | {
      readonly kind: 'toolset';
      readonly isFullAccess: boolean;
      readonly chips: readonly SelectorChip[];
    };

/** The headings and warnings of the cards. */
export const CARD_TEXTS = {
  noTools: 'No tools',
  implicitFullAccess: 'Implicit full access',
  fullAccess: 'Full gateway access',
  unmatched: '(matches nothing for you)',
} as const;

const createChips = (
  toolset: readonly string[],
  resolution: ResolutionState,
): readonly SelectorChip[] => {
  const { unmatched, requiringAuth }: Pick<ResolvedTools, 'unmatched' | 'requiringAuth'> =
    resolution.state === 'resolved' ? resolution : { unmatched: [], requiringAuth: [] };
  return toolset.map((selector) => ({
    selector,
    isUnmatched: unmatched.includes(selector),
    requiresSignIn: requiringAuth.includes(selector),
  }));
};

/** Returns the card of an agent, for the user whom the toolset was resolved for. @spec §2.8, §4.3 */
export const createToolsetCard = (
  declared: DeclaredAccess,
  resolution: ResolutionState,
): ToolsetCard => {
  switch (declared.access) {
    case 'none':
      return { kind: 'no-tools' };
    case 'implicit-full':
      return { kind: 'implicit-full-access' };
    case 'toolset': {
      const { toolset } = declared;
      if (toolset.every((selector, index) => index === 0 && selector === NO_TOOLS))
        return { kind: 'no-tools' };
      return {
        kind: 'toolset',
        isFullAccess: toolset.includes(FULL_ACCESS),
        chips: createChips(toolset, resolution),
      };
    }
  }
};
