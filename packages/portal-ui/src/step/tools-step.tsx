import { Flex, Stack, Title } from '@mantine/core';
import {
  serversToSignIn,
  unknownPresets,
  type CatalogSection,
  type PresetCards,
  type Resolution,
} from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { SignInOffers } from '../sign-in/sign-in-offers.tsx';
import type { StartSignIn } from '../sign-in/sign-in-start.ts';
import { AddSelector } from './add-selector.tsx';
import { CatalogChoices } from './catalog-choices.tsx';
import { ComposedToolset } from './composed-toolset.tsx';
import type { ComposeProps } from './compose-props.ts';
import { PresetChoices } from './preset-choices.tsx';
import { StartFromAgent, type AgentToolset } from './start-from-agent.tsx';

/** The properties of {@link ToolsStep}. */
export interface ToolsStepProps extends ComposeProps {
  readonly presets: PresetCards;
  /** The catalog of the person; undefined while it is not known. */
  readonly sections: readonly CatalogSection[] | undefined;
  /** Why the catalog is not known, or not known to be up to date. */
  readonly catalogNotice?: ReactNode;
  /** The agents whose toolsets can be copied. */
  readonly agents: readonly AgentToolset[];
  /** The resolution of the toolset for the person who composes it. */
  readonly resolution: Resolution;
  /** The resolution of the toolset without the presets that the gateway does not have; see `unknownPresets`. */
  readonly rest?: Resolution;
  readonly onSignIn: StartSignIn;
}

const Part = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode => (
  <Stack gap="xs" component="section" aria-label={title}>
    <Title order={3} size="h5">
      {title}
    </Title>
    {children}
  </Stack>
);

const Choices = (props: ToolsStepProps): ReactNode => {
  const { composition, onChange, sections, catalogNotice, onSignIn } = props;
  const compose = { composition, onChange };
  return (
    <Stack gap="lg">
      <Part title="Presets">
        <PresetChoices presets={props.presets} {...compose} />
      </Part>
      <StartFromAgent agents={props.agents} onChange={onChange} />
      <Part title="Catalog">
        <CatalogChoices
          sections={sections}
          notice={catalogNotice}
          onSignIn={onSignIn}
          {...compose}
        />
      </Part>
      <AddSelector {...compose} />
    </Stack>
  );
};

const selectorsToSignIn = (resolution: Resolution): readonly string[] =>
  resolution.state === 'resolved' ? resolution.requiringAuth : [];

/**
 * The step of a wizard in which a person composes the toolset of an agent: presets, the toolset of another agent, the catalog, typed
 * selectors, and the toolset with what it resolves to. The host supplies the heading.
 *
 * @spec §9.2 9.2/portal-tools-step
 */
export const ToolsStep = (props: ToolsStepProps): ReactNode => {
  const { composition, onChange, resolution, sections, onSignIn, presets, rest } = props;
  const offers = serversToSignIn(sections ?? [], selectorsToSignIn(resolution));
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap="lg" align={{ md: 'flex-start' }}>
      <Stack flex={3} miw={0}>
        <Choices {...props} />
      </Stack>
      <Stack flex={2} miw={0}>
        <ComposedToolset
          {...{ composition, onChange, resolution }}
          unknown={unknownPresets(composition.selectors, presets)}
          {...(rest !== undefined && { rest })}
        >
          <SignInOffers servers={offers} onSignIn={onSignIn} />
        </ComposedToolset>
      </Stack>
    </Flex>
  );
};
