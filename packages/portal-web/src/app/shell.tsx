import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Loader,
  Menu,
  NavLink,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { UserMenu } from './user-menu.tsx';
import { useBackend } from '../backend/backend.ts';
import { watchFocus } from '../display/focus.ts';
import { useRunningCalls } from '../pages/tool/tool-call.ts';

const toContent = (): void => document.querySelector<HTMLElement>('main h1')?.focus();

/** Leads past the header and the navigation; visible while it has the focus. WCAG 2.2, 2.4.1 */
const SkipLink = (): ReactNode => {
  const [hasFocus, setFocus] = useState(false);
  return (
    <Button
      size="xs"
      pos="fixed"
      top={12}
      left={12}
      style={{ zIndex: 300, ...(!hasFocus && { transform: 'translateY(-200%)' }) }}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      onClick={toContent}
    >
      Skip to the content
    </Button>
  );
};

const PAGES = [
  { to: '/', label: 'Overview' },
  { to: '/agents', label: 'Agents' },
  { to: '/catalog', label: 'Catalog' },
  { to: '/toolsets', label: 'Toolsets' },
  { to: '/workflows', label: 'Workflows' },
  { to: '/presets', label: 'Presets' },
  { to: '/servers', label: 'Servers' },
  { to: '/events', label: 'Events' },
  { to: '/usage', label: 'Usage' },
] as const;

/** The width of the window below which the frame hides the navigation: the breakpoint `sm`. */
const NARROW = '(max-width: 47.99em)';

/** The links to all pages. In a narrow window they are a menu, which receives the focus when it opens. */
const Navigation = ({
  id,
  opened,
  onClose,
}: {
  readonly id: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode => {
  const { session } = useBackend();
  const menu = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  // Runs are those of workflows.
  const isRun = useMatchRoute()({ to: '/runs', fuzzy: true }) !== false;
  const pages = PAGES.filter(({ to }) => to !== '/agents' || session.hasAgentManager);
  useEffect(() => {
    if (opened) menu.current?.querySelector('a')?.focus();
  }, [opened]);
  return (
    // The closed menu is outside of the window, but still in the order of the Tab key.
    <AppShell.Navbar id={id} p="xs" ref={menu} aria-label="Pages" inert={isNarrow && !opened}>
      {pages.map(({ to, label }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          onClick={onClose}
          {...(to === '/workflows' && isRun && { 'aria-current': 'page', active: true })}
        />
      ))}
    </AppShell.Navbar>
  );
};

/** The page on which the call of a tool can be followed and cancelled. */
const CallItem = ({ tool }: { readonly tool: string }): ReactNode => (
  <Menu.Item
    style={{ overflowWrap: 'anywhere' }}
    renderRoot={(props) =>
      tool.startsWith(WORKFLOW_TOOL_PREFIX) ? (
        <Link
          to="/workflows/$workflow"
          params={{ workflow: tool.slice(WORKFLOW_TOOL_PREFIX.length) }}
          {...props}
        />
      ) : (
        <Link to="/catalog/$tool" params={{ tool }} search={{ tab: 'try' }} {...props} />
      )
    }
  >
    <bdi>{tool}</bdi>
  </Menu.Item>
);

/** The calls of the user that run, each with the way to its page; nothing while none runs. */
const RunningCallsMenu = (): ReactNode => {
  const tools = useRunningCalls();
  if (tools.length === 0) return null;
  return (
    <Menu width={260}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Loader size={12} />}>
          {`${tools.length} running`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tools.map((tool) => (
          <CallItem key={tool} tool={tool} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** A circle of which one half is filled: fonts of some systems have no such character. */
const HalfMoon = (): ReactNode => (
  <svg aria-hidden width={16} height={16} viewBox="0 0 16 16" fill="none" stroke="currentColor">
    <circle cx={8} cy={8} r={6.5} strokeWidth={1.5} />
    <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" stroke="none" />
  </svg>
);

const ColorSchemeButton = (): ReactNode => {
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <ActionIcon
      variant="default"
      aria-label="Switch between light and dark"
      onClick={toggleColorScheme}
    >
      <HalfMoon />
    </ActionIcon>
  );
};

const Header = ({
  opened,
  toggle,
  burger,
  menu,
}: {
  readonly opened: boolean;
  readonly toggle: () => void;
  readonly burger: Ref<HTMLButtonElement>;
  /** The id of the navigation. */
  readonly menu: string;
}): ReactNode => (
  <Group h="100%" px="md" justify="space-between" wrap="nowrap">
    <Group gap="sm" wrap="nowrap">
      <Burger
        ref={burger}
        opened={opened}
        onClick={toggle}
        hiddenFrom="sm"
        size="sm"
        aria-label="Menu"
        aria-expanded={opened}
        aria-controls={menu}
      />
      <Text fw={600}>Portal</Text>
    </Group>
    <Group gap="xs" wrap="nowrap">
      <RunningCallsMenu />
      <ColorSchemeButton />
      <UserMenu />
    </Group>
  </Group>
);

/** The frame of all pages: header, navigation, and the page itself. */
export const Shell = (): ReactNode => {
  const [opened, { toggle, close }] = useDisclosure();
  const burger = useRef<HTMLButtonElement>(null);
  const menu = useId();
  useEffect(watchFocus, []);
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !opened) return;
    close();
    burger.current?.focus();
  };
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
      onKeyDown={closeOnEscape}
    >
      <SkipLink />
      <AppShell.Header>
        <Header opened={opened} toggle={toggle} burger={burger} menu={menu} />
      </AppShell.Header>
      <Navigation id={menu} opened={opened} onClose={close} />
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
};
