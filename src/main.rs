//! The page's start. Natively there is nothing to run.

fn main() {
    println!("Quayside runs in a browser.");
}
