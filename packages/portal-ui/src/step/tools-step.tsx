import {
  CARD_TEXTS,
  type CatalogSection,
  isChosen,
  isEmpty,
  MAX_INLINE_SELECTORS,
  type PresetCard,
  type PresetCards,
  type ResolutionState,
  listServersToSignIn,
  fromToolset,
  toggle,
  listUnknownPresets,
} from '@gateway/toolset-composer';
import {
  Badge,
  Card,
  Checkbox,
  Code,
  Flex,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { SignInOffers, type StartSignIn } from '../sign-in/sign-in-offers.tsx';
import { CatalogChoices } from './catalog-choices.tsx';
import {
  AddSelector,
  type ComposeProps,
  ToolsetChips,
  ToolsetProblems,
} from './toolset-editor.tsx';
import { ResolvedTools } from '../tools/tool-list.tsx';

/** Enough contrast on the ground of a card, in light and dark. */
const WARNING = 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-3))';

const Facts = ({ card, id }: { readonly card: PresetCard; readonly id: string }): ReactNode => (
  <Stack gap={4} id={id} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
    <Group gap="xs">
      <Text fw={600} size="sm">
        <bdi>{card.label}</bdi>
      </Text>
      {card.isRecommended && (
        <Badge size="sm" variant="light" tt="none">
          Recommended
        </Badge>
      )}
    </Group>
    {card.description !== card.label && (
      <Text size="sm" lineClamp={3}>
        <bdi>{card.description}</bdi>
      </Text>
    )}
    <Text size="xs" component="span">
      <Code>{card.selector}</Code>
      {` · ${card.origin}`}
    </Text>
    {card.isFullAccess && (
      <Text size="sm" fw={600} c={WARNING}>
        The agent can use every tool, also those that change the gateway for everyone.
      </Text>
    )}
  </Stack>
);

const PresetChoice = ({
  card,
  composition,
  onChange,
}: ComposeProps & { readonly card: PresetCard }): ReactNode => {
  const id = useId();
  return (
    <Checkbox.Card
      checked={isChosen(composition, card.selector)}
      onChange={() => onChange(toggle(composition, card.selector))}
      aria-label={card.label}
      aria-describedby={id}
      p="sm"
      display="flex"
      style={{ alignItems: 'flex-start' }}
    >
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Checkbox.Indicator />
        <Facts card={card} id={id} />
      </Group>
    </Checkbox.Card>
  );
};

/** The presets as cards that can be checked. */
const PresetChoices = ({
  presets,
  ...compose
}: ComposeProps & { readonly presets: PresetCards }): ReactNode => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
    {presets.cards.map((card) => (
      <PresetChoice key={card.selector} card={card} {...compose} />
    ))}
  </SimpleGrid>
);

/** An agent whose toolset can be the start of another one. */
export interface AgentToolset {
  /** The name for people, unique in the list. */
  readonly name: string;
  readonly toolset: readonly string[];
}

/** Replaces the composition by the toolset of an existing agent; nothing where no agent declares one. */
const StartFromAgent = ({
  agents,
  onChange,
}: Pick<ComposeProps, 'onChange'> & { readonly agents: readonly AgentToolset[] }): ReactNode => {
  if (agents.length === 0) return null;
  const copy = (index: string | null): void => {
    const agent = index === null ? undefined : agents[Number(index)];
    if (agent !== undefined) onChange(fromToolset(agent.toolset));
  };
  return (
    <Select
      label="Start from an existing agent's toolset"
      description="Replaces what is chosen now"
      placeholder="Choose an agent"
      searchable
      limit={100}
      value={null}
      data={agents.map(({ name }, index) => ({ value: String(index), label: name }))}
      onChange={copy}
    />
  );
};

/** The properties of {@link ComposedToolset}. */
interface ComposedToolsetProps extends ComposeProps {
  /** The resolution of the toolset for the user who composes it. */
  readonly resolution: ResolutionState;
  /** The selectors of presets that the gateway does not have: it refuses a toolset with one. */
  readonly unknown: readonly string[];
  /** The resolution of the toolset without them. */
  readonly rest?: ResolutionState;
  /** Offers of sign-in, below the chips. */
  readonly children?: ReactNode;
}

const toMarks = ({
  unknown,
  rest,
  resolution,
}: ComposedToolsetProps): ReadonlyMap<string, string> => {
  const resolved = resolution.state === 'resolved' ? resolution : rest;
  const unmatched = resolved?.state === 'resolved' ? resolved.unmatched : [];
  return new Map([
    ...unmatched.map((selector) => [selector, CARD_TEXTS.unmatched] as const),
    ...unknown.map((selector) => [selector, '(unknown)'] as const),
  ]);
};

/** The tools of the toolset; without the presets that the gateway does not have when there are any. */
const ResolutionView = ({ unknown, rest, resolution }: ComposedToolsetProps): ReactNode => (
  <>
    <ResolvedTools resolution={resolution} isNarrow />
    {unknown.length > 0 && rest !== undefined && rest.state !== 'idle' && (
      <>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Without <bdi>{unknown.join(', ')}</bdi>:
        </Text>
        <ResolvedTools resolution={rest} isNarrow />
      </>
    )}
  </>
);

/** The toolset as it is composed now: its selectors, their problems, and the tools that they resolve to. */
const ComposedToolset = (props: ComposedToolsetProps): ReactNode => {
  const { composition, children } = props;
  const count = composition.selectors.length;
  return (
    <Card withBorder component="section" aria-label="Toolset">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            Toolset
          </Title>
          <Text size="sm" role="status">{`${count} of ${MAX_INLINE_SELECTORS} selectors`}</Text>
        </Group>
        {isEmpty(composition) ? (
          <Text size="sm">
            Nothing is chosen: the agent has no tools and can only chat. The release declares
            preset:none.
          </Text>
        ) : (
          <ToolsetChips {...props} marks={toMarks(props)} />
        )}
        <ToolsetProblems composition={composition} />
        {children}
        <ResolutionView {...props} />
      </Stack>
    </Card>
  );
};

/** The properties of {@link ToolsStep}. */
export interface ToolsStepProps extends ComposeProps {
  readonly presets: PresetCards;
  /** The catalog of the user; undefined while it is not known. */
  readonly sections: readonly CatalogSection[] | undefined;
  /** Why the catalog is not known, or not known to be up to date. */
  readonly catalogNotice?: ReactNode;
  /** The agents whose toolsets can be copied. */
  readonly agents: readonly AgentToolset[];
  /** The resolution of the toolset for the user who composes it. */
  readonly resolution: ResolutionState;
  /** The resolution of the toolset without the presets that the gateway does not have; see `listUnknownPresets`. */
  readonly rest?: ResolutionState;
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

const listSignInSelectors = (resolution: ResolutionState): readonly string[] =>
  resolution.state === 'resolved' ? resolution.requiringAuth : [];

/**
 * The step of a wizard in which a user composes the toolset of an agent: presets, the toolset of another agent, the catalog, typed
 * selectors, and the toolset with what it resolves to. The host supplies the heading.
 *
 * @spec §9.2 9.2/portal-tools-step
 */
export const ToolsStep = (props: ToolsStepProps): ReactNode => {
  const { composition, onChange, resolution, sections, onSignIn, presets, rest } = props;
  const offers = listServersToSignIn(sections ?? [], listSignInSelectors(resolution));
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap="lg" align={{ md: 'flex-start' }}>
      <Stack flex={3} miw={0}>
        <Choices {...props} />
      </Stack>
      <Stack flex={2} miw={0}>
        <ComposedToolset
          {...{ composition, onChange, resolution }}
          unknown={listUnknownPresets(composition.selectors, presets)}
          {...(rest !== undefined && { rest })}
        >
          <SignInOffers servers={offers} onSignIn={onSignIn} />
        </ComposedToolset>
      </Stack>
    </Flex>
  );
};
