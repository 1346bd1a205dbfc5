import { createRootRoute } from "@tanstack/react-router";
import { Button } from "../kit/button.tsx";
import { EmptyState, ErrorState } from "../kit/states.tsx";
import { Shell } from "./shell.tsx";

/** The parent of every page. Areas add their routes below it. */
export const rootRoute = createRootRoute({
  component: Shell,
  errorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
  notFoundComponent: () => (
    <EmptyState
      title="There is no such page"
      action={<Button onClick={() => history.back()}>Back to where you were</Button>}
    >
      The address may be mistyped, or the page has moved.
    </EmptyState>
  ),
});
