import {
  Anchor,
  Badge,
  type BadgeProps,
  Card,
  Group,
  List,
  type ListProps,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useFocusRecovery } from './focus.ts';

/** A link to another page, with the appearance of links in text. */
export const PageLink = createLink(Anchor<'a'>);

/** The title of the window before a page has one. */
const PORTAL = 'Portal';
/** Names of servers and tools can be long; windows and tabs show the beginning. */
const MAX_CHARS = 100;

const useWindowTitle = (text: string): void => {
  useEffect(() => {
    document.title = text;
    return () => {
      document.title = PORTAL;
    };
  }, [text]);
};

/**
 * The heading of a page, which is also the title of the window. It receives the focus when its page replaces the one with the focus, so
 * that a screen reader and the Tab key continue there. WCAG 2.2, 2.4.2
 */
export const PageTitle = ({
  title,
  kind,
  isCode = false,
  children,
}: {
  readonly title: string;
  /** The kind of thing that the page shows, when the title is the name of something. */
  readonly kind?: string;
  /** The title is the name of a tool. */
  readonly isCode?: boolean;
  /** The heading with more than text; the title when absent. */
  readonly children?: ReactNode;
}): ReactNode => {
  const heading = useFocusRecovery<HTMLHeadingElement>(title);
  const shown = title.slice(0, MAX_CHARS);
  useWindowTitle([shown, ...(kind === undefined ? [] : [kind]), PORTAL].join(' – '));
  return (
    <Title
      order={1}
      size="h3"
      ref={heading}
      tabIndex={-1}
      style={{ overflowWrap: 'anywhere' }}
      {...(isCode && { ff: 'monospace' })}
    >
      {children ?? <bdi>{title}</bdi>}
    </Title>
  );
};

/** The heading of a page with what can be done on it at the other side. */
export const PageHead = ({
  title,
  text,
  children,
}: {
  readonly title: string;
  /** Says in a sentence what the page shows. */
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode => (
  <Group justify="space-between" align="flex-start">
    <div>
      <PageTitle title={title} />
      {text !== undefined && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
    </div>
    <Group gap="xs">{children}</Group>
  </Group>
);

/** A part of a page with a title. */
export const PageSection = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode => (
  <Card withBorder component="section" aria-label={title}>
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  </Card>
);

/** A fact with its name above it. */
export const Fact = ({
  label,
  size = 'md',
  children,
}: {
  readonly label: string;
  readonly size?: 'sm' | 'md';
  readonly children: ReactNode;
}): ReactNode => (
  <div>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <Text component="div" size={size} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
);

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/**
 * A time in the zone and the language of the reader.
 *
 * @param at RFC 3339; any other text is shown as it is
 */
export const LocalTime = ({ at }: { readonly at: string }): ReactNode => {
  const time = Date.parse(at);
  return Number.isNaN(time) ? (
    <bdi>{at}</bdi>
  ) : (
    <time dateTime={at} title={at}>
      {FORMAT.format(time)}
    </time>
  );
};

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

/** Returns how long a time is ago, or how far it is, in the largest unit. @param ms milliseconds until the time */
export const formatRelativeTime = (ms: number): string => {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? UNITS[3];
  return RELATIVE.format(Math.trunc(ms / size), unit);
};

const TICK_MS = 10_000;

/** The present, in steps of ten seconds. */
const useNow = (): number =>
  useSyncExternalStore(
    (onTick) => {
      const timer = setInterval(onTick, TICK_MS);
      return () => clearInterval(timer);
    },
    () => Math.floor(Date.now() / TICK_MS) * TICK_MS,
  );

/** How long a time is ago; the time itself is its title. @param at RFC 3339; any other text is shown as it is */
export const RelativeTime = ({ at }: { readonly at: string }): ReactNode => {
  const now = useNow();
  const time = Date.parse(at);
  if (Number.isNaN(time)) return <bdi>{at}</bdi>;
  return (
    <time dateTime={at} title={FORMAT.format(time)}>
      {formatRelativeTime(Math.min(time - now, TICK_MS))}
    </time>
  );
};

/** The name of a tool as a link to its page. */
export const renderToolLink = ({ name }: { readonly name: string }): ReactNode => (
  <PageLink to="/catalog/$tool" params={{ tool: name }} inherit ff="monospace">
    <bdi>{name}</bdi>
  </PageLink>
);

/** Texts from outside as a list, each once. */
export const TextList = ({
  texts,
  ...props
}: ListProps & { readonly texts: readonly string[] }): ReactNode => (
  <List size="sm" style={{ overflowWrap: 'anywhere' }} {...props}>
    {[...new Set(texts)].map((text) => (
      <List.Item key={text}>
        <bdi>{text}</bdi>
      </List.Item>
    ))}
  </List>
);

/** A state in a word or two. */
export const StateBadge = (props: BadgeProps & { readonly title?: string }): ReactNode => (
  <Badge variant="light" tt="none" style={{ flexShrink: 0 }} {...props} />
);

/** Returns a number with its noun, such as `1 resource` and `2 resources`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`;
