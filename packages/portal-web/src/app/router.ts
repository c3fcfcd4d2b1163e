import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import {
  readAgentsSearch,
  readCatalogSearch,
  readDetailSearch,
  readEventSearch,
  readNewServerSearch,
  readRunSearch,
  readRunsSearch,
  readPresetsSearch,
  readServersSearch,
  readToolSearch,
  readToolsetsSearch,
  readUsageSearch,
  readWizardSearch,
  readWorkflowSearch,
  readWorkflowsSearch,
} from '../addresses/searches.ts';
import { FailedPage, NotFoundPage } from './fallback-pages.tsx';
import { Shell } from './shell.tsx';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(
    () => import('../pages/overview/overview-page.tsx'),
    'OverviewPage',
  ),
});

/** The address of the catalog holds its search, so that it can be sent to others. */
const catalogRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/catalog',
  validateSearch: readCatalogSearch,
  component: lazyRouteComponent(() => import('../pages/catalog/catalog-page.tsx'), 'CatalogPage'),
});

const toolRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/catalog/$tool',
  validateSearch: readToolSearch,
  component: lazyRouteComponent(() => import('../pages/tool/tool-page.tsx'), 'ToolPage'),
});

const toolsetsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/toolsets',
  validateSearch: readToolsetsSearch,
  component: lazyRouteComponent(
    () => import('../pages/toolsets/toolsets-page.tsx'),
    'ToolsetsPage',
  ),
});

const agentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: readAgentsSearch,
  component: lazyRouteComponent(() => import('../pages/agents/agents-page.tsx'), 'AgentsPage'),
});

const newAgentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/new',
  validateSearch: readWizardSearch,
  component: lazyRouteComponent(
    () => import('../pages/agent-wizard/wizard-pages.tsx'),
    'NewAgentPage',
  ),
});

const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$namespace/$name',
  validateSearch: readDetailSearch,
  component: lazyRouteComponent(() => import('../pages/agents/agent-page.tsx'), 'AgentPage'),
});

const editAgentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$namespace/$name/edit',
  validateSearch: readWizardSearch,
  component: lazyRouteComponent(
    () => import('../pages/agent-wizard/wizard-pages.tsx'),
    'EditAgentPage',
  ),
});

const workflowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows',
  validateSearch: readWorkflowsSearch,
  component: lazyRouteComponent(
    () => import('../pages/workflows/workflows-page.tsx'),
    'WorkflowsPage',
  ),
});

const newWorkflowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows/new',
  component: lazyRouteComponent(
    () => import('../pages/workflows/workflow-editor.tsx'),
    'NewWorkflowPage',
  ),
});

const workflowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows/$workflow',
  validateSearch: readWorkflowSearch,
  component: lazyRouteComponent(
    () => import('../pages/workflows/workflow-page.tsx'),
    'WorkflowPage',
  ),
});

const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import('../pages/runs/runs-page.tsx'), 'RunsPage'),
});

const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$run',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('../pages/runs/run-page.tsx'), 'RunPage'),
});

const presetsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/presets',
  validateSearch: readPresetsSearch,
  component: lazyRouteComponent(() => import('../pages/presets/presets-page.tsx'), 'PresetsPage'),
});

const newPresetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/presets/new',
  component: lazyRouteComponent(
    () => import('../pages/presets/preset-editor.tsx'),
    'NewPresetPage',
  ),
});

const presetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/presets/$preset',
  component: lazyRouteComponent(() => import('../pages/presets/preset-page.tsx'), 'PresetPage'),
});

const serversRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/servers',
  validateSearch: readServersSearch,
  component: lazyRouteComponent(() => import('../pages/servers/servers-page.tsx'), 'ServersPage'),
});

const newServerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/servers/new',
  validateSearch: readNewServerSearch,
  component: lazyRouteComponent(
    () => import('../pages/server-new/new-server-page.tsx'),
    'NewServerPage',
  ),
});

const importServersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/servers/import',
  component: lazyRouteComponent(
    () => import('../pages/server-import/import-page.tsx'),
    'ImportPage',
  ),
});

const serverRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/servers/$name',
  validateSearch: readDetailSearch,
  component: lazyRouteComponent(() => import('../pages/servers/server-page.tsx'), 'ServerPage'),
});

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: readEventSearch,
  component: lazyRouteComponent(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('../pages/usage/usage-page.tsx'), 'UsagePage'),
});

/** Creates the router of a portal at a path prefix. */
export const createPortalRouter = (basepath: string) =>
  createRouter({
    routeTree: rootRoute.addChildren([
      indexRoute,
      catalogRoute,
      toolRoute,
      toolsetsRoute,
      agentsRoute,
      newAgentRoute,
      agentRoute,
      editAgentRoute,
      workflowsRoute,
      newWorkflowRoute,
      workflowRoute,
      runsRoute,
      runRoute,
      presetsRoute,
      newPresetRoute,
      presetRoute,
      serversRoute,
      newServerRoute,
      importServersRoute,
      serverRoute,
      eventsRoute,
      usageRoute,
    ]),
    basepath,
    // A page never sees parameters that its route does not read.
    search: { strict: true },
    defaultPreload: 'intent',
    // The page that failed; the navigation around it stays.
    defaultErrorComponent: FailedPage,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
