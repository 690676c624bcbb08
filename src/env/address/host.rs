//! The host of an address: its name as a browser writes it, its port, and how near it is.

use super::AddressError;
use crate::case;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How far away a host is, as far as its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This machine.
    Loopback,
    /// A private network: home, office, a container's name.
    Private,
    /// Anywhere.
    Public,
}

/// A host as read.
#[derive(Debug)]
pub(super) struct Place {
    /// Lower case, IPv6 in brackets.
    pub(super) name: String,
    pub(super) port: Option<u16>,
    pub(super) reach: Reach,
    /// It was the address a server listens on, and is `localhost` now.
    pub(super) listen: bool,
}

/// Endings of names that only a local network knows.
const LOCAL_ENDINGS: &[&str] = &[".local", ".lan", ".internal", ".home.arpa", ".intranet"];

/// Reads `host`, `host:port`, `[v6]:port` or a bare IPv6 address.
pub(super) fn read(authority: &str) -> Result<Place, AddressError> {
    let (host, port) = split_port(authority)?;
    if host.is_empty() {
        return Err(AddressError::NoHost);
    }
    let bad = || AddressError::BadHost(host.chars().take(80).collect());
    let place = |name: String, ip: Option<IpAddr>| {
        let listen = ip.is_some_and(|ip| ip.is_unspecified());
        Place {
            reach: if listen {
                Reach::Loopback
            } else {
                reach(&name, ip)
            },
            name: if listen { "localhost".into() } else { name },
            port,
            listen,
        }
    };
    if let Ok(v6) = host.trim_matches(['[', ']']).parse::<Ipv6Addr>() {
        return Ok(place(format!("[{v6}]"), Some(IpAddr::V6(v6))));
    }
    let name = case::lower(host.trim_end_matches('.'));
    let last = name.rsplit('.').next().unwrap_or_default();
    if last.chars().next().is_some_and(|c| c.is_ascii_digit()) && number(last).is_some() {
        let v4 = ipv4(&name).ok_or_else(bad)?;
        return Ok(place(v4.to_string(), Some(IpAddr::V4(v4))));
    }
    let usable = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.contains("..") || name.starts_with('.') || !name.chars().all(usable)
    {
        return Err(bad());
    }
    Ok(place(name, None))
}

fn split_port(authority: &str) -> Result<(&str, Option<u16>), AddressError> {
    if authority.parse::<Ipv6Addr>().is_ok() {
        return Ok((authority, None));
    }
    match authority.rsplit_once(':') {
        // A colon within brackets belongs to the address.
        Some((_, tail)) if tail.ends_with(']') => Ok((authority, None)),
        Some((host, "")) => Ok((host, None)),
        Some((host, port)) => match port.parse::<u16>() {
            Ok(number) if number > 0 && port.chars().all(|c| c.is_ascii_digit()) => {
                Ok((host, Some(number)))
            }
            _ => Err(AddressError::BadPort(port.chars().take(20).collect())),
        },
        None => Ok((authority, None)),
    }
}

fn reach(name: &str, ip: Option<IpAddr>) -> Reach {
    match ip {
        Some(IpAddr::V4(v4)) => reach_v4(v4),
        Some(IpAddr::V6(v6)) => match v6.to_ipv4_mapped() {
            Some(v4) => reach_v4(v4),
            None if v6.is_loopback() => Reach::Loopback,
            None if v6.is_unique_local() || v6.is_unicast_link_local() => Reach::Private,
            None => Reach::Public,
        },
        None if name == "localhost" || name.ends_with(".localhost") => Reach::Loopback,
        // A name without a dot is one that a local network gives.
        None if !name.contains('.') || LOCAL_ENDINGS.iter().any(|end| name.ends_with(end)) => {
            Reach::Private
        }
        None => Reach::Public,
    }
}

fn reach_v4(v4: Ipv4Addr) -> Reach {
    // 100.64.0.0/10: carriers' networks, and the addresses of private overlay networks.
    let [a, b, ..] = v4.octets();
    if v4.is_loopback() {
        Reach::Loopback
    } else if v4.is_private() || v4.is_link_local() || (a == 100 && (64..128).contains(&b)) {
        Reach::Private
    } else {
        Reach::Public
    }
}

/// An IPv4 address in any of the spellings a browser takes: `127.1`, `0x7f.0.0.1`, `2130706433`.
fn ipv4(name: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = name.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let room = 8 * (4 - first.len() as u32);
    if *last >= 1_u64 << room {
        return None;
    }
    let high = first
        .iter()
        .zip([24, 16, 8])
        .fold(0, |sum, (part, shift)| sum | part << shift);
    u32::try_from(high | last).ok().map(Ipv4Addr::from)
}

fn number(part: &str) -> Option<u64> {
    let digits = |text: &str, radix| {
        let sound = !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
        sound.then(|| u64::from_str_radix(text, radix).unwrap_or(u64::MAX))
    };
    if let Some(hex) = part.strip_prefix("0x") {
        return if hex.is_empty() {
            Some(0)
        } else {
            digits(hex, 16)
        };
    }
    match part.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => digits(octal, 8),
        _ => digits(part, 10),
    }
}
