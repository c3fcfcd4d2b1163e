import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Loader,
  Menu,
  NavLink,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { GatewayBanner } from './gateway-banner.tsx';
import logo from './logo.svg';
import { PAGES } from './pages.ts';
import { UserMenu } from './user-menu.tsx';
import { useBackend } from '../backend/backend.ts';
import { watchFocus } from '../display/focus.ts';
import { Icon } from '../display/icons.tsx';
import { VERSION } from '../mcp/mcp-client.ts';
import { useRunningCalls } from '../pages/tool/tool-call.ts';

/** The search is loaded when it is opened for the first time. */
const SearchEverything = lazy(async () => ({
  default: (await import('./search-everything.tsx')).SearchEverything,
}));

/** Pages outside of the portal. */
const HELP = [
  ['The Model Context Protocol', 'https://modelcontextprotocol.io'],
  ['The registry of servers', 'https://registry.modelcontextprotocol.io'],
] as const;

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
      {pages.map(({ to, label, icon }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          {...(to === '/' && { activeOptions: { exact: true, includeSearch: false } })}
          label={label}
          leftSection={<Icon name={icon} />}
          onClick={onClose}
          {...(to === '/workflows' && isRun && { 'aria-current': 'page', active: true })}
        />
      ))}
      <Text size="xs" c="dimmed" mt="auto" p="xs">
        {`Version ${VERSION}`}
      </Text>
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

const SHORTCUTS = [
  ['Ctrl K', 'find any page, tool, server or agent'],
  ['/', 'find in the list of this page'],
] as const;

const HelpMenu = (): ReactNode => (
  <Menu width={300} position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="default" aria-label="Help">
        <Icon name="help" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Label>Keys</Menu.Label>
      {SHORTCUTS.map(([keys, text]) => (
        <Menu.Item key={keys} rightSection={<Kbd size="xs">{keys}</Kbd>} closeMenuOnClick={false}>
          {text}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Label>More</Menu.Label>
      {HELP.map(([label, href]) => (
        <Menu.Item key={href} component="a" href={href} target="_blank" rel="noopener noreferrer">
          {label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

const Header = ({
  opened,
  toggle,
  burger,
  menu,
  onSearch,
}: {
  readonly onSearch: () => void;
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
      <Anchor underline="never" c="inherit" renderRoot={(props) => <Link to="/" {...props} />}>
        <Group gap={8} wrap="nowrap">
          <img src={logo} alt="" width={24} height={24} />
          <Text fw={600}>Portal</Text>
        </Group>
      </Anchor>
    </Group>
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        size="xs"
        fw={400}
        leftSection={<Icon name="search" />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            Ctrl K
          </Kbd>
        }
        onClick={onSearch}
      >
        Find
      </Button>
      <RunningCallsMenu />
      <ColorSchemeButton />
      <HelpMenu />
      <UserMenu />
    </Group>
  </Group>
);

/** The frame of all pages: header, navigation, and the page itself. */
export const Shell = (): ReactNode => {
  const [opened, { toggle, close }] = useDisclosure();
  const burger = useRef<HTMLButtonElement>(null);
  const menu = useId();
  const [hasSearch, setSearch] = useState(false);
  useEffect(watchFocus, []);
  const search = (): void => {
    setSearch(true);
    void import('./search-everything.tsx').then(({ openSearch }) => openSearch());
  };
  useHotkeys([['mod+K', search]], []);
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
        <Header opened={opened} toggle={toggle} burger={burger} menu={menu} onSearch={search} />
      </AppShell.Header>
      <Navigation id={menu} opened={opened} onClose={close} />
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
      <GatewayBanner />
      <Suspense>{hasSearch && <SearchEverything />}</Suspense>
    </AppShell>
  );
};
