import type { Agent } from '@gateway/agent-manager-client';
import { SignInOffers, ToolsetCard } from '@gateway/portal-ui';
import {
  accessOfAgent,
  serversToSignIn,
  type CatalogSection,
  type DeclaredAccess,
  type Resolution,
} from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { useCatalog } from '../../queries/use-catalog.ts';
import { useResolution } from '../../queries/use-resolution.ts';
import { useStartSignIn } from '../../queries/use-start-sign-in.ts';

/** The toolset of an agent for the person who reads the page. */
export interface ResolvedAgentToolset {
  readonly declared: DeclaredAccess;
  readonly resolution: Resolution;
  readonly sections: readonly CatalogSection[];
  /** Everything is known, or cannot be known now. */
  readonly isSettled: boolean;
}

/** Resolves the toolset of an agent for the person who reads the page. */
export const useAgentToolset = (agent: Agent): ResolvedAgentToolset => {
  const declared = accessOfAgent(agent);
  const resolution = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  const { data: sections = [], isPending } = useCatalog();
  const isSettled = resolution.state !== 'loading' && !isPending;
  return { declared, resolution, sections, isSettled };
};

/** The toolset of an agent, resolved for the person who reads the page. */
export const AgentToolset = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { declared, resolution, sections } = useAgentToolset(agent);
  const onSignIn = useStartSignIn();
  const selectors = resolution.state === 'resolved' ? resolution.requiringAuth : [];
  return (
    <ToolsetCard declared={declared} resolution={resolution}>
      <SignInOffers servers={serversToSignIn(sections, selectors)} onSignIn={onSignIn} />
      {declared.access === 'toolset' && (
        <PageLink to="/toolsets" search={{ left: [...declared.toolset] }} size="sm">
          Why a tool is in or out
        </PageLink>
      )}
    </ToolsetCard>
  );
};
