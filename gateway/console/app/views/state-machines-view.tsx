/** The views `/machines` and `/machines/{kind}`: the state charts of all kinds of actors. */
import type { Chart } from "../../../../machines/inspection/statechart-of-state-machine.ts";
import { ChartFrame } from "../actors/statechart-frame.tsx";
import { get, path } from "../console-api-client.ts";
import { useResource } from "../preact-store-hooks.ts";
import { Card, Facts, Loaded, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

export function MachinesView() {
  const kinds = useResource("kinds", () => get<{ readonly kinds: readonly string[] }>("/api/machines"));
  return (
    <View title="Machines" about="Every actor follows the statechart of its kind.">
      <Loaded of={kinds}>
        {(value) => (
          <div class="tiles">
            {value.kinds.map((kind) => (
              <a class="tile" key={kind} href={path("/machines", kind)}>
                <img src={`${path("/api/machines", kind)}/diagram.svg`} alt="" loading="lazy" />
                <span>{kind}</span>
              </a>
            ))}
          </div>
        )}
      </Loaded>
    </View>
  );
}

interface Machine {
  readonly chart: Chart;
  readonly commands: readonly { readonly type: string }[];
}

export function MachineView({ parameters: { kind = "" } }: ViewProps) {
  const machine = useResource(kind, () => get<Machine>(path("/api/machines", kind)));
  return (
    <View title={kind} up={{ href: "/machines", text: "Machines" }} wide>
      <Loaded of={machine}>
        {({ chart, commands }) => (
          <>
            <Facts
              of={[
                { name: "States", value: chart.states.length },
                { name: "Transitions", value: chart.transitions.length },
                {
                  name: "Commands",
                  value: <span class="mono">{commands.map(({ type }) => type).join(", ")}</span>,
                },
                {
                  name: "Actors",
                  value: <a href={`/actors?kind=${encodeURIComponent(kind)}`}>of this kind</a>,
                },
              ]}
            />
            <Card title="Statechart" class="chart-card tall">
              <ChartFrame kind={kind} active={[]} taken={[]} />
              <p class="legend">
                <a href={path("/api/machines", kind)} target="_blank" rel="noreferrer">
                  as JSON
                </a>
                <a href={`${path("/api/machines", kind)}/diagram.svg`} target="_blank" rel="noreferrer">
                  the diagram alone
                </a>
              </p>
            </Card>
          </>
        )}
      </Loaded>
    </View>
  );
}
