//! One page with everything: the tables, and a card with a diagram for each position, to sort, filter and search.

use std::fmt::Write as _;

use super::goal::Goal;
use super::record::Record;
use super::report::{Attempt, PositionReport, Report};
use super::summary::{self, Total, percent, seconds};
use crate::position::notation;
use crate::tools::diagram::{self, Diagram};
use crate::tools::page::{Page, escape};

/// Arrows for best moves and for moves to avoid.
const BEST: &str = "#2c9a4b";
const AVOID: &str = "#c8372d";
/// Arrows for what the engines played, in their order.
const PLAYED: [&str; 6] = [
    "#2b6fd6", "#e08a1e", "#8b4fc0", "#12979c", "#c53b7c", "#6b6b6b",
];

const STYLE: &str = "\
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:1rem;margin-top:1rem}\
.card{border:1px solid var(--line);border-radius:.5rem;padding:.8rem;content-visibility:auto;contain-intrinsic-size:21rem 32rem}\
.card h3{margin:0 0 .1rem;font-size:1rem;overflow-wrap:anywhere}.card p{margin:.1rem 0 .4rem}\
.card table{width:100%;margin-top:.5rem;font-size:.85rem}.card td,.card th{padding:.15rem .3rem}\
.dot{display:inline-block;width:.7rem;height:.7rem;border-radius:50%;margin-right:.3rem}\
.controls{display:flex;flex-wrap:wrap;gap:.8rem;margin:1.5rem 0 0;align-items:center}\
.controls select,.controls input{font:inherit;padding:.15rem .3rem}.pv{font-size:.8rem;overflow-wrap:anywhere}\
.scroll{overflow-x:auto}[hidden]{display:none}";

/// Sorts, filters and searches the cards. What it goes by stands in their data attributes: `failed` lists the engines,
/// `t0` is the first engine's time to the solution, and so on; what has none comes last. An address can choose too: `sts.html#filter=any&sort=t0`.
const SCRIPT: &str = "\
'use strict';
const cards=[...document.querySelectorAll('.card')],box=document.querySelector('.cards'),
get=id=>document.getElementById(id),shown=get('shown');
function value(card,key){const v=card.dataset[key];return key==='id'?v:v===undefined||v===''?Infinity:Number(v);}
function compare(a,b,down){const r=a<b?-1:a>b?1:0;return down&&a!==Infinity&&b!==Infinity?-r:r;}
function update(){
 const key=get('sort').value,down=get('down').checked,filter=get('filter').value,text=get('search').value.toLowerCase();
 const order=[...cards].sort((a,b)=>compare(value(a,key),value(b,key),down)||a.dataset.number-b.dataset.number);
 let count=0;
 for(const card of order){
  const failed=card.dataset.failed.split(' ').filter(Boolean),engines=Number(card.dataset.engines);
  const fits=filter==='all'||filter==='any'&&failed.length>0||filter==='every'&&failed.length===engines
   ||filter==='differ'&&failed.length>0&&failed.length<engines||failed.includes(filter);
  card.hidden=!(fits&&card.dataset.text.includes(text));
  if(!card.hidden)count++;
  box.append(card);
 }
 shown.textContent=count+' of '+cards.length;
}
for(const[id,text]of new URLSearchParams(location.hash.slice(1))){
 if(!['sort','down','filter','search'].includes(id))continue;
 if(id==='down')get(id).checked=text!=='0';else get(id).value=text;
}
for(const id of['sort','down','filter','search'])get(id).addEventListener('input',update);
update();";

/// The page.
pub fn page(report: &Report) -> String {
    let mut body = format!(
        "{}\n<h1>EPD suite</h1>\n<p>{}; {}.</p>\n",
        diagram::definitions(),
        escape(&summary::extent(report)),
        escape(&report.search.describe()),
    );
    push_engines(&mut body, report);
    push_themes(&mut body, report);
    push_controls(&mut body, report);
    body.push_str("<div class=\"cards\">\n");
    for position in &report.positions {
        push_card(&mut body, report, position);
    }
    body.push_str("</div>\n");
    push_unread(&mut body, report);
    let title = report
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    Page {
        title: &format!("EPD suite: {title}"),
        style: STYLE,
        body: &body,
        script: SCRIPT,
    }
    .to_html()
}

fn colour(engine: usize) -> &'static str {
    PLAYED.iter().cycle().nth(engine).unwrap_or(&BEST)
}

// Writing to a String cannot fail.

fn push_engines(body: &mut String, report: &Report) {
    body.push_str(
        "<div class=\"scroll\"><table id=\"engines\"><tr><th>engine</th><th class=\"n\">solved</th><th class=\"n\">%</th>\
         <th class=\"n\">points</th><th class=\"n\">%</th><th class=\"n\">mean time to solution</th>\
         <th class=\"n\">nodes</th><th class=\"n\">time</th><th class=\"n\">faults</th></tr>\n",
    );
    for (number, engine) in report.engines.iter().enumerate() {
        let total = Total::of_engine(&report.positions, number);
        let points = if total.max_points == 0 {
            "-".to_owned()
        } else {
            format!("{} of {}", total.points, total.max_points)
        };
        let title = engine
            .command
            .as_deref()
            .unwrap_or("the engine in this program");
        let _ = writeln!(
            body,
            "<tr><td title=\"{}\"><span class=\"dot\" style=\"background:{}\"></span>{}</td>\
             <td class=\"n\">{} of {}</td><td class=\"n\">{}</td><td class=\"n\">{points}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(
                &[&[title.to_owned()], engine.options.as_slice()]
                    .concat()
                    .join(" ")
            ),
            colour(number),
            escape(&engine.name),
            total.solved,
            total.positions,
            percent(total.solved as u64, total.positions as u64),
            percent(total.points, total.max_points),
            total.mean_solution_ms().map_or("-".to_owned(), seconds),
            total.nodes,
            seconds(total.time_ms),
            total.faults,
        );
    }
    body.push_str("</table></div>\n");
}

fn push_themes(body: &mut String, report: &Report) {
    let themes = summary::themes(&report.positions);
    if themes.is_empty() {
        return;
    }
    body.push_str("<details open><summary>By theme</summary><div class=\"scroll\"><table id=\"themes\"><tr><th>theme</th><th class=\"n\">positions</th>");
    for engine in &report.engines {
        let _ = write!(body, "<th class=\"n\">{}</th>", escape(&engine.name));
    }
    body.push_str("</tr>\n");
    for (theme, positions) in themes {
        let _ = write!(
            body,
            "<tr><td>{}</td><td class=\"n\">{}</td>",
            escape(&theme),
            positions.len()
        );
        for engine in 0..report.engines.len() {
            let total = Total::of_engine(positions.iter().copied(), engine);
            let _ = write!(body, "<td class=\"n\">{}</td>", total.brief());
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</table></div></details>\n");
}

fn push_controls(body: &mut String, report: &Report) {
    let mut times = String::new();
    let mut failed = String::new();
    for (number, engine) in report.engines.iter().enumerate() {
        let name = escape(&engine.name);
        let _ = write!(
            times,
            "<option value=\"t{number}\">time to solution: {name}</option>"
        );
        let _ = write!(
            failed,
            "<option value=\"{number}\">failed by {name}</option>"
        );
    }
    let _ = writeln!(
        body,
        "<div class=\"controls\"><label>Show <select id=\"filter\"><option value=\"all\">all</option>\
         <option value=\"any\">failed by any</option><option value=\"every\">failed by all</option>\
         <option value=\"differ\">where engines differ</option>{failed}</select></label>\
         <label>sorted by <select id=\"sort\"><option value=\"number\">number</option><option value=\"id\">id</option>\
         <option value=\"misses\">engines that failed</option>{times}</select></label>\
         <label><input type=\"checkbox\" id=\"down\"> descending</label>\
         <label>with <input id=\"search\" type=\"search\" placeholder=\"text\"></label><span id=\"shown\" class=\"faint\"></span>\
         <span><span class=\"dot\" style=\"background:{BEST}\"></span>best \
         <span class=\"dot\" style=\"background:{AVOID}\"></span>to avoid</span></div>"
    );
}

fn push_card(body: &mut String, report: &Report, position: &PositionReport) {
    let missed: Vec<String> = position
        .attempts
        .iter()
        .enumerate()
        .filter(|(_, attempt)| attempt.as_ref().is_some_and(|attempt| !attempt.solved))
        .map(|(engine, _)| engine.to_string())
        .collect();
    let mut times = String::new();
    for (engine, attempt) in position.attempts.iter().enumerate() {
        if let Some(moment) = attempt.as_ref().and_then(Attempt::solution) {
            let _ = write!(times, " data-t{engine}=\"{}\"", moment.time_ms);
        }
    }
    let id = escape(&position.id);
    let _ = write!(
        body,
        "<section class=\"card\" data-number=\"{}\" data-id=\"{id}\" data-engines=\"{}\" data-failed=\"{}\" \
         data-misses=\"{}\" data-text=\"{}\"{times}>\n<h3>{id}</h3><p>{}</p>{}\n",
        position.number,
        report.engines.len(),
        missed.join(" "),
        missed.len(),
        escape(&format!("{} {} {}", position.id, position.goal, position.fen).to_lowercase()),
        escape(&position.goal),
        picture(position),
    );
    body.push_str("<table><tr><th>engine</th><th>played</th><th class=\"n\">score</th><th class=\"n\">depth</th><th class=\"n\">solution</th></tr>\n");
    for (number, (engine, attempt)) in report.engines.iter().zip(&position.attempts).enumerate() {
        if let Some(attempt) = attempt {
            push_attempt(body, &engine.name, colour(number), position, attempt);
        }
    }
    let _ = writeln!(
        body,
        "</table><details><summary class=\"faint\">FEN and origin</summary><p class=\"pv\">{}<br>{}:{}</p></details></section>",
        escape(&position.fen),
        escape(&position.place.file),
        position.place.line
    );
}

fn push_attempt(
    body: &mut String,
    engine: &str,
    colour: &str,
    position: &PositionReport,
    attempt: &Attempt,
) {
    let (class, mark) = if attempt.solved {
        ("good", "✓")
    } else {
        ("bad", "✗")
    };
    let points = attempt
        .points
        .map(|points| format!(" ({points}/{})", position.max_points.unwrap_or(0)))
        .unwrap_or_default();
    let when = match attempt.found {
        Some(moment) if attempt.solved => seconds(moment.time_ms),
        Some(moment) => format!(
            "<span class=\"faint\">dropped, {}</span>",
            seconds(moment.time_ms)
        ),
        None => "-".to_owned(),
    };
    let _ = writeln!(
        body,
        "<tr><td><span class=\"dot\" style=\"background:{colour}\"></span>{}</td><td class=\"{class}\">{mark} {}{points}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{when}</td></tr>",
        escape(engine),
        escape(attempt.san.as_deref().unwrap_or("nothing")),
        attempt
            .score
            .map_or("-".to_owned(), |score| score.to_string()),
        attempt.depth,
    );
    let fault = attempt
        .fault
        .as_deref()
        .map(|fault| format!("<span class=\"bad\">{}</span> ", escape(fault)));
    let pv: Vec<&str> = attempt.pv.iter().take(12).map(String::as_str).collect();
    if fault.is_some() || !pv.is_empty() {
        let _ = writeln!(
            body,
            "<tr><td colspan=\"5\" class=\"pv faint\">{}{}</td></tr>",
            fault.unwrap_or_default(),
            escape(&pv.join(" "))
        );
    }
}

/// The board as the side to move sees it, with an arrow for each move that counts and each that was played.
fn picture(position: &PositionReport) -> String {
    let Ok(record) = Record::parse(&position.epd) else {
        return String::new();
    };
    let goal = Goal::parse(&record).unwrap_or_default();
    let mut diagram = Diagram::new(&record.position).seen_by(record.position.turn());
    for (moves, colour) in [(&goal.best, BEST), (&goal.avoid, AVOID)] {
        for &m in moves {
            diagram = diagram.arrow(m, colour, 11.0);
        }
    }
    // Narrower and narrower, so that the same move of several engines can be seen.
    for (engine, attempt) in position.attempts.iter().enumerate() {
        let played = attempt.as_ref().and_then(|attempt| attempt.uci.as_deref());
        if let Some(m) = played.and_then(|uci| notation::parse_uci(&record.position, uci).ok()) {
            let width = (6.0 - 1.5 * engine as f64).max(2.0);
            diagram = diagram.arrow(m, colour(engine), width);
        }
    }
    diagram.to_svg_in_page()
}

fn push_unread(body: &mut String, report: &Report) {
    if report.unread.is_empty() {
        return;
    }
    body.push_str("<h2>Lines that were not understood</h2>\n<ul>\n");
    for unread in &report.unread {
        let _ = writeln!(
            body,
            "<li>{}:{}: {}</li>",
            escape(&unread.place.file),
            unread.place.line,
            escape(&unread.reason)
        );
    }
    body.push_str("</ul>\n");
}
