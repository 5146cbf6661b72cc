/* Draws the charts from the figures in #record-data; without it every figure still stands in a table. */
(function () {
  'use strict';
  var data = JSON.parse(document.getElementById('record-data').textContent);
  var curves = {};
  data.curves.forEach(function (curve) { curves[curve.id] = curve; });
  var drawn = [];
  var BEYOND = 'interval goes beyond the axis';

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  }

  function number(value) {
    var size = Math.abs(value);
    if (size >= 100) { return Math.round(value).toLocaleString('en-US'); }
    return String(Number(value.toPrecision(3)));
  }

  function text(size) {
    return { color: color('soft'), fontSize: size || 12, fontFamily: getComputedStyle(document.body).fontFamily };
  }

  function range(low, high, format) {
    return low === undefined || high === undefined ? '' : ' [' + format(low) + ', ' + format(high) + ']';
  }

  /* An interval as a capped line: a mark line between the two ends. */
  function whiskers(points, ends, paint) {
    return {
      silent: true, symbol: 'rect', symbolSize: [9, 1.5], animation: false, label: { show: false },
      lineStyle: { type: 'solid', width: 1.5, color: paint },
      data: points.filter(function (p) { return p.low !== undefined && p.high !== undefined; }).map(ends)
    };
  }

  /* One end of an interval, without its cap where the interval goes on. */
  function end(coord, cut) {
    return cut ? { coord: coord, symbol: 'none' } : { coord: coord };
  }

  function axis(name, narrow) {
    return {
      type: 'value', name: name, nameTextStyle: text(), axisLabel: Object.assign(text(), { hideOverlap: true }),
      axisLine: { show: true, lineStyle: { color: color('line') } }, axisTick: { show: false },
      splitNumber: narrow ? 4 : 5, splitLine: { lineStyle: { color: color('line'), opacity: .55 } }
    };
  }

  function armSeries(name, points, symbol, dash, paint, shift) {
    return {
      name: name, type: 'line', symbol: symbol, symbolSize: 9, z: 3, animation: false,
      lineStyle: { width: 2, type: dash, color: paint }, itemStyle: { color: paint },
      data: points.map(function (p) { return [p.load + shift, p.value]; }),
      markLine: whiskers(points, function (p) {
        return [end([p.load + shift, p.low], p.cutLow), end([p.load + shift, p.high], p.cutHigh)];
      }, paint)
    };
  }

  function plainLine(name, points, dash, paint) {
    return {
      name: name, type: 'line', symbol: 'none', animation: false, z: 1,
      lineStyle: { width: 1.5, type: dash, color: paint }, itemStyle: { color: paint },
      data: points
    };
  }

  function curveSeries(curve, shift, top) {
    var loads = curve.baseline.concat(curve.candidate).map(function (p) { return p.load; });
    var first = Math.min.apply(null, loads);
    var last = Math.max.apply(null, loads);
    var baseline = cut(curve.baseline, 0, top);
    var candidate = cut(curve.candidate, 0, top);
    var series = [
      armSeries('baseline', baseline, 'circle', 'dashed', color('baseline'), -shift),
      armSeries('candidate', candidate, 'diamond', 'solid', color('candidate'), shift)
    ];
    if (curve.predicted.length > 0) {
      series.push(plainLine('candidate, predicted', curve.predicted.map(function (p) { return [p.load, p.value]; }),
        [2, 3], color('predicted')));
    }
    if (curve.needed.length > 0) {
      series.push({
        name: 'needed', type: 'scatter', symbol: 'rect', symbolSize: [26, 3], animation: false, z: 4,
        itemStyle: { color: color('good') },
        data: curve.needed.map(function (p) { return [p.load, p.value]; })
      });
    }
    if (curve.offered) {
      var end = Math.max(first, Math.min(last, top));
      series.push(plainLine('all requests good', [[first, first], [end, end]], [1, 4], color('faint')));
    }
    if (curve.slo !== undefined) {
      series.push(plainLine('SLO', [[first, curve.slo], [last, curve.slo]], [6, 4], color('slo')));
    }
    var marks = [];
    [[baseline, -shift, color('baseline')], [candidate, shift, color('candidate')]].forEach(function (arm) {
      arm[0].forEach(function (p) {
        if (p.cutHigh) { marks.push({ at: [p.load + arm[1], top], turn: 0, paint: arm[2] }); }
        if (p.cutLow) { marks.push({ at: [p.load + arm[1], 0], turn: 180, paint: arm[2] }); }
      });
    });
    if (marks.length > 0) { series.push(beyond(marks, color('soft'))); }
    return series;
  }

  function curveTip(curve) {
    return function (items) {
      var load = items[0].axisValue;
      var lines = ['offered ' + number(load) + ' req/s'];
      [['baseline', curve.baseline], ['candidate', curve.candidate], ['predicted', curve.predicted],
        ['needed', curve.needed]].forEach(function (arm) {
        arm[1].forEach(function (p) {
          if (Math.abs(p.load - load) <= .02 * load) {
            lines.push(arm[0] + ' ' + number(p.value) + range(p.low, p.high, number) + ' ' + curve.unit);
          }
        });
      });
      return lines.join('<br>');
    };
  }

  /*
   * Where the axis ends: at what was seen, needed or forecast, at least the highest load where the ideal is the load itself.
   * Intervals may stretch it only so far; one that goes on is cut there and marked, as is one that goes below 0.
   */
  function ceiling(curve) {
    var arms = curve.baseline.concat(curve.candidate);
    var values = arms.concat(curve.needed, curve.predicted).map(function (p) { return p.value; });
    if (curve.offered) {
      return Math.max.apply(null, values.concat(arms.map(function (p) { return p.load; }))) * 1.06;
    }
    var most = Math.max.apply(null, values);
    var ends = arms.map(function (p) { return p.high === undefined ? p.value : p.high; });
    return Math.max(most, Math.min(Math.max.apply(null, ends), most * 2)) * 1.06;
  }

  /* A round end for the axis just above, and the distance of its labels, which divides it. */
  function rounded(value) {
    var unit = Math.pow(10, Math.floor(Math.log10(value)));
    var steps = [[1, 5], [1.2, 4], [1.5, 3], [2, 4], [2.5, 5], [3, 3], [4, 4], [5, 5], [6, 3], [8, 4], [10, 5]];
    var found = steps.filter(function (s) { return s[0] * unit >= value * .999999; })[0];
    return { top: found[0] * unit, step: found[0] * unit / found[1] };
  }

  function cut(points, low, high) {
    return points.map(function (p) {
      return p.low === undefined || p.high === undefined ? p : Object.assign({}, p, {
        low: Math.min(Math.max(p.low, low), high), high: Math.max(Math.min(p.high, high), low),
        cutLow: p.low < low, cutHigh: p.high > high
      });
    });
  }

  /* Arrowheads where an interval goes on beyond the axis. */
  function beyond(marks, paint) {
    return {
      name: BEYOND, type: 'scatter', silent: true, animation: false, z: 5, clip: false, symbol: 'triangle', symbolKeepAspect: true,
      symbolSize: [10, 9], itemStyle: { color: paint },
      data: marks.map(function (m) { return { value: m.at, symbolRotate: m.turn, itemStyle: { color: m.paint } }; })
    };
  }

  /* About how many rows the legend takes: the plot begins below it. */
  function legendRows(series, width) {
    var rows = 1;
    var used = 0;
    series.forEach(function (s) {
      var item = 26 + 5 + 14 + 6.2 * s.name.length;
      if (used > 0 && used + item > width) {
        rows += 1;
        used = 0;
      }
      used += item;
    });
    return rows;
  }

  function curveOption(curve, width) {
    var narrow = width < 500;
    var loads = curve.baseline.concat(curve.candidate).map(function (p) { return p.load; });
    var span = loads.length === 0 ? 1 : Math.max.apply(null, loads) - Math.min.apply(null, loads);
    var shift = span * .009;
    var ends = rounded(curve.slo === undefined ? ceiling(curve) : Math.max(ceiling(curve), curve.slo));
    var series = curveSeries(curve, shift, ends.top);
    var names = series.map(function (s) { return s.symbol === 'none' ? { name: s.name, itemStyle: { opacity: 0 } } : s.name; });
    var x = axis('offered load (req/s)', narrow);
    x.nameLocation = 'middle';
    x.nameGap = 26;
    x.splitLine = { show: false };
    x.min = 0;
    var y = axis('', narrow);
    y.min = 0;
    y.max = ends.top;
    y.interval = ends.step;
    return {
      textStyle: text(), color: [color('baseline')],
      grid: { left: 46, right: 16, top: legendRows(series.slice(0, names.length), width) * 23 + 14, bottom: 42 },
      legend: { top: 0, left: 0, right: 0, itemWidth: 26, itemGap: 14, textStyle: text(),
        data: names },
      tooltip: { trigger: 'axis', confine: true, formatter: curveTip(curve), axisPointer: { type: 'line' },
        backgroundColor: color('raised'), borderColor: color('line'), textStyle: { color: color('ink'), fontSize: 12 } },
      xAxis: x, yAxis: y, series: series
    };
  }

  /* Rows of the forest plot, each metric under its own heading. */
  function forestRows() {
    var rows = [];
    var last = '';
    data.forest.forEach(function (bar) {
      if (bar.metric !== last) {
        rows.push({ label: bar.metric, heading: true });
        last = bar.metric;
      }
      rows.push({ label: 'at ' + bar.load + ' req/s', bar: bar });
    });
    return rows;
  }

  function ends() {
    return function (p) {
      return [end([p.low, p.row], p.cutLow), end([p.high, p.row], p.cutHigh)];
    };
  }

  function forestSeries(rows, bounds) {
    var predicted = [];
    var observed = [];
    var limits = [];
    rows.forEach(function (row, i) {
      if (row.bar && row.bar.predicted) {
        predicted.push({ row: i, value: row.bar.predicted.value, low: row.bar.predicted.low, high: row.bar.predicted.high });
      }
      if (row.bar) {
        observed.push({ row: i, value: row.bar.observed.value, low: row.bar.observed.low, high: row.bar.observed.high });
        if (row.bar.limit !== undefined) { limits.push([row.bar.limit, i]); }
      }
    });
    observed = cut(observed, bounds[0], bounds[1]);
    predicted = cut(predicted, bounds[0], bounds[1]);
    var marks = [];
    [[predicted, color('predicted')], [observed, color('candidate')]].forEach(function (side) {
      side[0].forEach(function (p) {
        if (p.cutLow) { marks.push({ at: [bounds[0], p.row], turn: 90, paint: side[1] }); }
        if (p.cutHigh) { marks.push({ at: [bounds[1], p.row], turn: -90, paint: side[1] }); }
      });
    });
    var wide = whiskers(predicted, ends(), color('predicted'));
    wide.symbol = 'none';
    wide.lineStyle = { type: 'solid', width: 9, color: color('predicted'), opacity: .38, cap: 'butt' };
    var thin = whiskers(observed, ends(), color('candidate'));
    thin.symbol = 'rect';
    thin.symbolSize = [9, 1.8];
    thin.lineStyle.width = 1.8;
    return [
      { name: 'predicted interval', type: 'scatter', symbol: 'roundRect', symbolSize: [4, 13], z: 2, animation: false,
        itemStyle: { color: color('predicted') }, markLine: wide,
        data: predicted.map(function (p) { return [p.value, p.row]; }) },
      { name: 'observed, 95 %', type: 'scatter', symbol: 'diamond', symbolSize: 11, z: 4, animation: false,
        itemStyle: { color: color('candidate') }, markLine: thin,
        data: observed.map(function (p) { return [p.value, p.row]; }) },
      { name: 'needed or allowed', type: 'scatter', symbol: 'rect', symbolSize: [2.5, 17], z: 3, animation: false,
        itemStyle: { color: color('slo') }, data: limits }
    ].concat(marks.length > 0 ? [beyond(marks, color('soft'))] : []);
  }

  function forestTip(rows) {
    return function (item) {
      var bar = rows[item.value[1]].bar;
      var three = function (v) { return v.toFixed(3); };
      var lines = [bar.metric + ' at ' + bar.load + ' req/s', 'observed ' + three(bar.observed.value)
        + range(bar.observed.low, bar.observed.high, three) + ', ' + bar.reads];
      if (bar.predicted) {
        lines.push('predicted ' + three(bar.predicted.value) + range(bar.predicted.low, bar.predicted.high, three));
      }
      if (bar.limit !== undefined) { lines.push('needed or allowed ' + three(bar.limit)); }
      return lines.join('<br>');
    };
  }

  /*
   * The ends of the axis: what was forecast, needed and seen; intervals may take half as much again on either side.
   */
  function bounds() {
    var core = [1];
    var wide = [];
    data.forest.forEach(function (bar) {
      core.push(bar.observed.value);
      if (bar.predicted) {
        core.push(bar.predicted.value);
        wide.push(bar.predicted.low, bar.predicted.high);
      }
      if (bar.limit !== undefined) { core.push(bar.limit); }
      wide.push(bar.observed.low, bar.observed.high);
    });
    core = positive(core).map(Math.log);
    wide = positive(wide).map(Math.log);
    var low = Math.min.apply(null, core);
    var high = Math.max.apply(null, core);
    var more = Math.max(.3, .5 * (high - low));
    low = Math.max(low - more, Math.min.apply(null, wide.concat(low)));
    high = Math.min(high + more, Math.max.apply(null, wide.concat(high)));
    return [Math.exp(low) / 1.04, Math.exp(high) * 1.04];
  }

  function positive(values) {
    return values.filter(function (v) { return v !== undefined && v > 0; });
  }

  /* A logarithmic axis: a ratio of 2 and one of 1/2 are the same distance from 1. */
  function ticks(low, high, narrow) {
    var nice = [.05, .1, .2, .25, .33, .5, .6, .7, .8, .9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 8, 10, 20, 50, 100];
    var inside = nice.filter(function (v) { return v >= low && v <= high; });
    var most = narrow ? 4 : 9;
    var span = Math.log(high / low) / (most + 1);
    var kept = [1];
    inside.forEach(function (v) {
      if (kept.every(function (k) { return Math.abs(Math.log(v / k)) > span; })) { kept.push(v); }
    });
    return kept;
  }

  function forestOption(width) {
    var rows = forestRows();
    var narrow = width < 500;
    var limits = bounds();
    var series = forestSeries(rows, limits);
    var named = series.length;
    series[0].markLine.data = series[0].markLine.data.map(logged);
    series[1].markLine.data = series[1].markLine.data.map(logged);
    series.forEach(function (s) {
      s.data = s.data.map(function (d) { return d.value ? d : { value: d }; })
        .filter(function (d) { return d.value[0] > 0; })
        .map(function (d) { return Object.assign({}, d, { value: [Math.log(d.value[0]), d.value[1]] }); });
    });
    series.push({ type: 'line', silent: true, animation: false, data: [], markLine: { silent: true, symbol: 'none', animation: false,
      data: ticks(limits[0], limits[1], narrow).map(function (v) {
        return { xAxis: Math.log(v), lineStyle: { color: color(v === 1 ? 'ink' : 'line'), type: 'solid', width: v === 1 ? 1.4 : 1 },
          label: { show: true, position: 'start', color: color('soft'), formatter: String(v), fontSize: 12 } };
      }) } });
    return {
      textStyle: text(),
      grid: { left: narrow ? 140 : 190, right: 16, top: legendRows(series.slice(0, named), width) * 23 + 34, bottom: 8 },
      legend: { top: 0, left: 0, textStyle: text(), itemGap: 16, data: series.slice(0, named).map(function (s) { return s.name; }) },
      tooltip: { trigger: 'item', confine: true, formatter: forestTip(rows), backgroundColor: color('raised'),
        borderColor: color('line'), textStyle: { color: color('ink'), fontSize: 12 } },
      xAxis: { type: 'value', min: Math.log(limits[0]), max: Math.log(limits[1]), axisLabel: { show: false }, axisTick: { show: false },
        axisLine: { show: false }, splitLine: { show: false } },
      yAxis: { type: 'category', inverse: true, axisTick: { show: false }, axisLine: { show: false },
        data: rows.map(function (row) { return row.heading ? '{h|' + row.label + '}' : row.label; }),
        axisLabel: { interval: 0, color: color('soft'), width: narrow ? 132 : 180, overflow: 'truncate',
          rich: { h: { color: color('ink'), fontWeight: 600, fontSize: 12 } } } },
      series: series
    };
  }

  function logged(pair) {
    return pair.map(function (end) { return Object.assign({}, end, { coord: [Math.log(Math.max(end.coord[0], 1e-9)), end.coord[1]] }); });
  }

  function draw(host) {
    var id = host.getAttribute('data-chart');
    var known = id === 'forest' ? data.forest.length > 0
      : curves[id] && curves[id].baseline.length + curves[id].candidate.length > 0;
    if (!known) {
      host.style.height = 'auto';
      host.textContent = 'No figures to draw.';
      host.className = 'empty';
      return;
    }
    if (id === 'forest') { host.style.height = (forestRows().length * 25 + 70) + 'px'; }
    var chart = echarts.init(host, null, { renderer: 'svg' });
    drawn.push({ chart: chart, host: host, id: id });
    paint(drawn[drawn.length - 1]);
    host.setAttribute('data-drawn', 'true');
  }

  function paint(entry) {
    var width = entry.host.clientWidth;
    entry.chart.resize();
    entry.chart.setOption(entry.id === 'forest' ? forestOption(width) : curveOption(curves[entry.id], width), true);
  }

  function repaint() { drawn.forEach(paint); }

  Array.prototype.forEach.call(document.querySelectorAll('[data-chart]'), draw);
  window.addEventListener('resize', repaint);
  window.addEventListener('beforeprint', repaint);
  window.addEventListener('afterprint', repaint);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
})();
