//! Texts that are read as one argument and as part of a whole call.

/// A pipeline of 200 characters.
pub(crate) const PIPELINE: &str = "grep -rn 'TODO' src/ --include=*.rs | sort -t: -k1,1 | awk -F: '{print $1}' | uniq -c | \
                        sort -rn | head -n 20 > reports/todo-2026.txt && cat reports/todo-2026.txt | wc -l && \
                        git status --short";

/// A statement of a kilobyte that every likely database reads.
pub(crate) const STATEMENT: &str = "WITH recent_orders AS (\n  SELECT o.order_id, o.customer_id, o.order_date, o.total_amount, o.status\n  \
    FROM sales.orders o\n  WHERE o.order_date >= '2026-01-01' AND o.status IN ('paid', 'shipped', 'delivered')\n), \
    customer_totals AS (\n  SELECT r.customer_id, COUNT(*) AS order_count, SUM(r.total_amount) AS revenue,\n         \
    MAX(r.order_date) AS last_order\n  FROM recent_orders r\n  GROUP BY r.customer_id\n  HAVING SUM(r.total_amount) > 1000\n)\n\
    SELECT c.customer_name, c.region, t.order_count, t.revenue, t.last_order,\n       \
    CASE WHEN t.revenue > 50000 THEN 'gold' WHEN t.revenue > 10000 THEN 'silver' ELSE 'bronze' END AS tier,\n       \
    COALESCE(p.discount_rate, 0) AS discount\nFROM customer_totals t\nJOIN crm.customers c ON c.customer_id = t.customer_id\n\
    LEFT JOIN crm.partner_terms p ON p.customer_id = c.customer_id AND p.valid_until >= '2026-06-30'\n\
    WHERE c.region IN ('emea', 'apac') AND c.is_active = 1 AND c.customer_name NOT LIKE 'Test%'\n\
    ORDER BY t.revenue DESC, c.customer_name ASC\nLIMIT 100";
